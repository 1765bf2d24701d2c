// A reader's interface: its owner, its kernel driver, its settings — linux/usbdevice_fs.h
//
// All of these are called under the bus's lock.
#ifndef INTERFACE_H
#define INTERFACE_H

#include "Session.h"

/// Claims the interface. Returns 0 or a negative error.
int interface_claim(struct session *session);

/// Releases the interface if the session has claimed it.
void interface_release(struct session *session);

/// Executes an ioctl that is answered immediately, with a copy of its argument. Returns the result or a negative error.
int interface_execute(struct session *session, gulong request, void *argument);

#endif
