// Descriptors and control transfers — USB 2.0, chapter 9
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include "Reader.h"

/// A control transfer's setup packet.
struct usb_setup {
    guint8 type, request;
    guint16 value, index, length;
};

/// Device and configuration descriptor, as they are read from the node; the caller frees them.
GByteArray *descriptors_of(const struct reader *reader);

/// Executes a control transfer; a negative error, or how many bytes of `data` (of `setup->length`) were filled.
int descriptors_control(const struct reader *reader, const struct usb_setup *setup, guint8 *data);

#endif
