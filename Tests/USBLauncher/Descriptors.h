// Descriptors and control transfers — USB 2.0, chapter 9
#ifndef DESCRIPTORS_H
#define DESCRIPTORS_H

#include "Reader.h"

/// A control transfer's setup packet.
struct usb_setup {
    guint8 type, request;
    guint16 value, index, length;
};

/// Returns the device and configuration descriptors, as read from the node. The caller frees them.
GByteArray *descriptors_of(const struct reader *reader);

/// Executes a control transfer. Returns a negative error, or the number of bytes of `data` (of `setup->length`) that it
/// filled.
int descriptors_control(const struct reader *reader, const struct usb_setup *setup, guint8 *data);

#endif
