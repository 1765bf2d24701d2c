// Transfers between submission and reaping: USBDEVFS_SUBMITURB, _DISCARDURB, _REAPURB — linux/usbdevice_fs.h
//
// All of these are called under the bus's lock.
#ifndef TRANSFER_H
#define TRANSFER_H

#include "Session.h"

/// Starts a transfer. Returns 0 or a negative error.
int transfer_submit(struct session *session, UMockdevIoctlData *urb, UMockdevIoctlData *buffer);

/// Ends the transfer that has this address in the client. Returns 0 or a negative error.
int transfer_discard(struct session *session, gulong address);

/// Completes waiting bulk IN transfers with the available answers.
void transfer_deliver(struct reader *reader);

/// Ends all submitted transfers with this status.
void transfer_end_all(struct reader *reader, int status);

/// Gives the waiting client the first completed transfer, or this error if there is none.
void transfer_answer_reaper(struct session *session, int error);

/// Drops all transfers of a session that was closed.
void transfer_forget_all(struct session *session);

#endif
