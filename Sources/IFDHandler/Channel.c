// Calls and events between the handler and a virtual reader — unix(7)

#define _GNU_SOURCE
#include "Channel.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

static int send_all(int descriptor, const void *data, size_t length)
{
    const char *next = data;
    while (length) {
        ssize_t count = send(descriptor, next, length, MSG_NOSIGNAL);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return 0;
        next += count;
        length -= (size_t)count;
    }
    return 1;
}

static int receive_all(int descriptor, void *data, size_t length)
{
    char *next = data;
    while (length) {
        ssize_t count = recv(descriptor, next, length, 0);
        if (count < 0 && errno == EINTR) continue;
        if (count <= 0) return 0;
        next += count;
        length -= (size_t)count;
    }
    return 1;
}

static int connection(const char *path, char kind)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    if (strlen(path) >= sizeof address.sun_path) return -1;
    strcpy(address.sun_path, path);
    int descriptor = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (descriptor < 0) return -1;
    if (!connect(descriptor, (struct sockaddr *)&address, sizeof address) && send_all(descriptor, &kind, 1))
        return descriptor;
    close(descriptor);
    return -1;
}

int channel_open(struct channel *channel, const char *path)
{
    *channel = (struct channel){.calls = -1, .events = -1, .wake = {-1, -1}};
    pthread_mutex_init(&channel->mutex, NULL);
    // Connect for events first, so that no event is lost between the request below and the first event.
    channel->events = connection(path, IFD_EVENTS);
    channel->calls = connection(path, IFD_CALLS);
    if (channel->events < 0 || channel->calls < 0 || pipe2(channel->wake, O_CLOEXEC | O_NONBLOCK)) {
        channel_close(channel);
        return 0;
    }
    size_t size = 0;
    channel->present = channel_call(channel, IFD_PRESENCE, 0, NULL, 0, NULL, &size) == IFD_ICC_PRESENT;
    return 1;
}

void channel_close(struct channel *channel)
{
    int *descriptors[] = {&channel->calls, &channel->events, &channel->wake[0], &channel->wake[1]};
    for (unsigned i = 0; i < 4; i++) {
        if (*descriptors[i] >= 0) close(*descriptors[i]);
        *descriptors[i] = -1;
    }
}

RESPONSECODE channel_call(struct channel *channel, unsigned call, DWORD argument, const void *data, size_t length,
                          void *answer, size_t *size)
{
    struct ifd_request request = {call, (unsigned)argument, (unsigned)length};
    struct ifd_reply reply;
    size_t capacity = *size;
    *size = 0;
    pthread_mutex_lock(&channel->mutex);
    RESPONSECODE code = IFD_NO_SUCH_DEVICE;
    if (send_all(channel->calls, &request, sizeof request) && send_all(channel->calls, data, length)
        && receive_all(channel->calls, &reply, sizeof reply)) {
        size_t wanted = reply.length < capacity ? reply.length : capacity;
        if (receive_all(channel->calls, answer, wanted)) {
            char rest;
            for (size_t i = wanted; i < reply.length && receive_all(channel->calls, &rest, 1); i++) {}
            code = wanted < reply.length ? IFD_ERROR_INSUFFICIENT_BUFFER : (RESPONSECODE)reply.code;
            *size = wanted;
        }
    }
    pthread_mutex_unlock(&channel->mutex);
    return code;
}

int channel_wait(struct channel *channel, int milliseconds)
{
    if (channel->events < 0) return 0;
    struct pollfd waiting[] = {
        {.fd = channel->wake[0], .events = POLLIN},
        {.fd = channel->events, .events = POLLIN},
    };
    if (poll(waiting, 2, milliseconds) <= 0) return 1;
    char byte;
    while (read(channel->wake[0], &byte, 1) == 1) {}
    if (!waiting[1].revents) return 1;
    // One event per call, so that pcscd checks the card between the two events of a quick exchange.
    ssize_t count = recv(channel->events, &byte, 1, 0);
    // The event is still there at the next call.
    if (count < 0 && errno == EINTR) return 1;
    channel->present = count == 1 && byte == '+';
    if (count == 1) return 1;
    close(channel->events);
    channel->events = -1;
    return 0;
}

void channel_wake(struct channel *channel)
{
    char byte = 0;
    ssize_t count = write(channel->wake[1], &byte, 1);
    (void)count;
}
