// Transfers between submission and reaping: USBDEVFS_SUBMITURB, _DISCARDURB, _REAPURB — linux/usbdevice_fs.h
//
// All of these are called under the bus's lock.
#ifndef TRANSFER_H
#define TRANSFER_H

#include "Session.h"

/// Begins a transfer; a negative error, or 0.
int transfer_submit(struct session *session, UMockdevIoctlData *urb, UMockdevIoctlData *buffer);

/// Ends the transfer that has this address in the client; a negative error, or 0.
int transfer_discard(struct session *session, gulong address);

/// Completes waiting bulk IN transfers with the answers that are there.
void transfer_deliver(struct reader *reader);

/// Ends all transfers on their way with this status.
void transfer_end_all(struct reader *reader, int status);

/// Hands the first completed transfer to the client that waits for one; if there is none, this error.
void transfer_answer_reaper(struct session *session, int error);

/// Drops all transfers of a session that was closed.
void transfer_forget_all(struct session *session);

#endif
