// The driver that pcscd loads for virtual readers — pcsc-lite's IFD handler 3.0, <ifdhandler.h>

#include "Channel.h"

#include <pthread.h>
#include <reader.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "PrivateDirectory.h"

enum { READERS = PCSCLITE_MAX_READERS_CONTEXTS };

static struct channel *channels[READERS];

/// The upper half of a logical unit number is the reader, the lower half its slot.
static struct channel *channel_of(DWORD lun) { return lun >> 16 < READERS ? channels[lun >> 16] : NULL; }

/// The reader's socket: `usb:VID/PID:libudev:INTERFACE:/dev/bus/usb/BUS/DEVICE` on the private bus, `PATH:` elsewhere.
static int socket_path(const char *device, char *path, size_t size)
{
    unsigned interface, bus, number;
    if (sscanf(device, "usb:%*x/%*x:libudev:%u:/dev/bus/usb/%u/%u", &interface, &bus, &number) == 3)
        return private_directory()
               && snprintf(path, size, "%s/readers/%u-%u-%u", private_directory(), bus, number, interface) < (int)size;
    const char *end = strrchr(device, ':');
    return end && snprintf(path, size, "%.*s", (int)(end - device), device) < (int)size;
}

RESPONSECODE IFDHCreateChannelByName(DWORD lun, LPSTR device)
{
    char path[128];
    if (lun >> 16 >= READERS || channel_of(lun) || !socket_path(device, path, sizeof path)) return IFD_COMMUNICATION_ERROR;
    struct channel *channel = malloc(sizeof *channel);
    if (!channel) return IFD_COMMUNICATION_ERROR;
    if (!channel_open(channel, path)) {
        free(channel);
        return IFD_NO_SUCH_DEVICE;
    }
    channels[lun >> 16] = channel;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHCreateChannel(DWORD lun, DWORD number)
{
    (void)lun, (void)number;
    return IFD_COMMUNICATION_ERROR;
}

RESPONSECODE IFDHCloseChannel(DWORD lun)
{
    struct channel *channel = channel_of(lun);
    if (!channel) return IFD_COMMUNICATION_ERROR;
    channels[lun >> 16] = NULL;
    channel_close(channel);
    free(channel);
    return IFD_SUCCESS;
}

/// Waits for the next event. pcscd calls this on a separate thread for each reader.
///
/// pcscd 1.9.9 sets a field to stop this thread, and the thread itself clears the field when it handles the removal of a
/// card. If both happen at once, pcscd waits for the thread forever, and sees no other reader. Therefore the thread ends
/// here when the reader is gone. It holds no lock of pcscd, which joins it.
static RESPONSECODE wait_for_event(DWORD lun, int milliseconds)
{
    struct channel *channel = channel_of(lun);
    if (channel && channel_wait(channel, milliseconds)) return IFD_SUCCESS;
    pthread_exit(NULL);
}

static RESPONSECODE stop_waiting(DWORD lun)
{
    struct channel *channel = channel_of(lun);
    if (channel) channel_wake(channel);
    return IFD_SUCCESS;
}

static RESPONSECODE answer(const void *data, size_t size, PUCHAR value, PDWORD length)
{
    if (*length < size) return IFD_ERROR_INSUFFICIENT_BUFFER;
    memcpy(value, data, size);
    *length = size;
    return IFD_SUCCESS;
}

static RESPONSECODE answer_byte(UCHAR byte, PUCHAR value, PDWORD length) { return answer(&byte, 1, value, length); }

RESPONSECODE IFDHGetCapabilities(DWORD lun, DWORD tag, PDWORD length, PUCHAR value)
{
    typedef RESPONSECODE waiter(DWORD, int);
    typedef RESPONSECODE stopper(DWORD);
    waiter *wait = wait_for_event;
    stopper *stop = stop_waiting;
    switch (tag) {
    case TAG_IFD_SIMULTANEOUS_ACCESS: return answer_byte(READERS, value, length);
    case TAG_IFD_THREAD_SAFE: return answer_byte(1, value, length);
    case TAG_IFD_SLOTS_NUMBER: return answer_byte(1, value, length);
    case TAG_IFD_SLOT_THREAD_SAFE: return answer_byte(0, value, length);
    case TAG_IFD_POLLING_THREAD_KILLABLE: return answer_byte(0, value, length);
    case TAG_IFD_POLLING_THREAD_WITH_TIMEOUT: return answer(&wait, sizeof wait, value, length);
    case TAG_IFD_STOP_POLLING_THREAD: return answer(&stop, sizeof stop, value, length);
    }
    struct channel *channel = channel_of(lun);
    if (!channel) return IFD_NO_SUCH_DEVICE;
    if (tag == TAG_IFD_ATR || tag == SCARD_ATTR_ATR_STRING)
        return answer(channel->atr, channel->atr_length, value, length);
    size_t size = *length;
    RESPONSECODE code = channel_call(channel, IFD_ATTRIBUTE, tag, NULL, 0, value, &size);
    *length = size;
    return code;
}

RESPONSECODE IFDHSetCapabilities(DWORD lun, DWORD tag, DWORD length, PUCHAR value)
{
    (void)lun, (void)tag, (void)length, (void)value;
    return IFD_NOT_SUPPORTED;
}

RESPONSECODE IFDHSetProtocolParameters(DWORD lun, DWORD protocol, UCHAR flags, UCHAR pts1, UCHAR pts2, UCHAR pts3)
{
    (void)lun, (void)protocol, (void)flags, (void)pts1, (void)pts2, (void)pts3;
    return IFD_SUCCESS;
}

RESPONSECODE IFDHPowerICC(DWORD lun, DWORD action, PUCHAR atr, PDWORD length)
{
    struct channel *channel = channel_of(lun);
    *length = 0;
    if (!channel) return IFD_NO_SUCH_DEVICE;
    size_t size = sizeof channel->atr;
    RESPONSECODE code = channel_call(channel, IFD_POWER, action, NULL, 0, channel->atr, &size);
    channel->atr_length = code == IFD_SUCCESS ? size : 0;
    memcpy(atr, channel->atr, channel->atr_length);
    *length = channel->atr_length;
    return code;
}

RESPONSECODE IFDHTransmitToICC(DWORD lun, SCARD_IO_HEADER send, PUCHAR command, DWORD length, PUCHAR response,
                               PDWORD response_length, PSCARD_IO_HEADER receive)
{
    struct channel *channel = channel_of(lun);
    size_t size = channel ? *response_length : 0;
    RESPONSECODE code = channel ? channel_call(channel, IFD_TRANSMIT, send.Protocol, command, length, response, &size)
                                : IFD_NO_SUCH_DEVICE;
    *response_length = code == IFD_SUCCESS ? size : 0;
    if (receive) receive->Protocol = send.Protocol;
    return code;
}

RESPONSECODE IFDHControl(DWORD lun, DWORD control, PUCHAR command, DWORD length, PUCHAR response, DWORD capacity,
                         LPDWORD returned)
{
    struct channel *channel = channel_of(lun);
    size_t size = channel ? capacity : 0;
    RESPONSECODE code = channel ? channel_call(channel, IFD_CONTROL, control, command, length, response, &size)
                                : IFD_NO_SUCH_DEVICE;
    *returned = code == IFD_SUCCESS ? size : 0;
    return code;
}

RESPONSECODE IFDHICCPresence(DWORD lun)
{
    struct channel *channel = channel_of(lun);
    return channel && channel->present ? IFD_ICC_PRESENT : IFD_ICC_NOT_PRESENT;
}
