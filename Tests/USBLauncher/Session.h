// One opening of a device node: the ioctls of usbfs — linux/usbdevice_fs.h, drivers/usb/core/devio.c
#ifndef SESSION_H
#define SESSION_H

#include <umockdev.h>

#include "Reader.h"

/// One opening of a reader's node; counted, and guarded by the bus's lock.
struct session {
    struct reader *reader;
    /// The reader's generation when the node was opened.
    int generation;
    /// Transfers on their way, and those that can be reaped (struct transfer *).
    GQueue submitted, completed;
    /// A client that waits to reap one, and where its address is to be written.
    UMockdevIoctlClient *reaper;
    UMockdevIoctlData *reaped;
    /// The source that ends its waiting, or 0.
    guint patience;
};

/// A handler for the node of a reader as it is plugged in now.
UMockdevIoctlBase *session_make_handler(struct reader *reader);

/// Gives up one reference.
void session_unref(gpointer session);

#endif
