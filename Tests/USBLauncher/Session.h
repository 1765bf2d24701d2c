// One open file of a device node: the ioctls of usbfs — linux/usbdevice_fs.h, drivers/usb/core/devio.c
#ifndef SESSION_H
#define SESSION_H

#include <umockdev.h>

#include "Reader.h"

/// A reader's node that a program has opened. It is reference-counted, and guarded by the bus's lock.
struct session {
    struct reader *reader;
    /// The reader's generation when the node was opened.
    int generation;
    /// The submitted transfers, and the completed ones that can be reaped (struct transfer *).
    GQueue submitted, completed;
    /// A client that waits to reap a transfer, and the place for the transfer's address.
    UMockdevIoctlClient *reaper;
    UMockdevIoctlData *reaped;
    /// The timer that ends the client's wait, or 0.
    guint patience;
};

/// Creates a handler for the node of a plugged-in reader.
UMockdevIoctlBase *session_make_handler(struct reader *reader);

/// Releases one reference.
void session_unref(gpointer session);

#endif
