// A reader's interface: who has it, its kernel driver, its settings — linux/usbdevice_fs.h
//
// All of these are called under the bus's lock.
#ifndef INTERFACE_H
#define INTERFACE_H

#include "Session.h"

/// Claims the interface; a negative error, or 0.
int interface_claim(struct session *session);

/// Releases it, if the session has it.
void interface_release(struct session *session);

/// Executes an ioctl that is answered immediately, with a copy of its argument; a negative error, or the result.
int interface_execute(struct session *session, gulong request, void *argument);

#endif
