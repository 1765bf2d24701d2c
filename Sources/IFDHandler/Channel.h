// The connections to one virtual reader.
#ifndef CHANNEL_H
#define CHANNEL_H

#include <ifdhandler.h>
#include <pthread.h>
#include <stddef.h>

#include "IFDHandler.h"

struct channel {
    /// -1 if there is no connection.
    int calls, events, wake[2];
    /// The state according to the last event.
    int present;
    unsigned char atr[MAX_ATR_SIZE];
    size_t atr_length;
    /// Allows only one call at a time.
    pthread_mutex_t mutex;
};

/// Connects to the reader's socket. Returns 0 if there is none.
int channel_open(struct channel *channel, const char *path);
void channel_close(struct channel *channel);

/// Makes a call and waits for the reply without a time limit, as for a real reader that does not respond.
///
/// The reply has at most `*size` bytes; afterwards `*size` is their number. Returns IFD_NO_SUCH_DEVICE if the reader is
/// gone.
RESPONSECODE channel_call(struct channel *channel, unsigned call, DWORD argument, const void *data, size_t length,
                          void *answer, size_t *size);

/// Waits for one event, at most for the given number of milliseconds, or until channel_wake().
///
/// Returns 0 if the reader is gone.
int channel_wait(struct channel *channel, int milliseconds);
void channel_wake(struct channel *channel);

#endif
