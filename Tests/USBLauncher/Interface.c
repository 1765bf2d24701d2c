// A reader's interface: its owner, its kernel driver, its settings — linux/usbdevice_fs.h, drivers/usb/core/devio.c

#include "Interface.h"

#include <errno.h>
#include <linux/usbdevice_fs.h>
#include <string.h>
#include <sys/ioctl.h>

#include "Bus.h"
#include "Transfer.h"

int interface_claim(struct session *session)
{
    struct reader *reader = session->reader;
    if (reader->owner == session) return 0;
    if (reader->faults.claim) return -reader->faults.claim;
    if (reader->owner || reader->has_driver) return -EBUSY;
    reader->owner = session;
    reader->tally.claims++;
    return 0;
}

void interface_release(struct session *session)
{
    struct reader *reader = session->reader;
    if (reader->owner != session) return;
    reader->owner = NULL;
    reader->was_released = TRUE;
    reader->tally.releases++;
}

static int disconnect_driver(struct reader *reader)
{
    if (!reader->has_driver) return -ENODATA;
    reader->has_driver = FALSE;
    bus_show_faults_soon(reader);
    return 0;
}

/// USBDEVFS_IOCTL: requests for the interface's kernel driver.
static int driver_ioctl(struct session *session, const struct usbdevfs_ioctl *request)
{
    struct reader *reader = session->reader;
    switch ((unsigned)request->ioctl_code) {
    case USBDEVFS_DISCONNECT:
        return disconnect_driver(reader);
    case USBDEVFS_CONNECT:
        if (reader->has_driver || reader->owner) return -EBUSY;
        reader->has_driver = reader->faults.driver[0] != 0;
        bus_show_faults_soon(reader);
        return reader->has_driver;
    default:
        return -ENOTTY;
    }
}

static int disconnect_and_claim(struct session *session, const struct usbdevfs_disconnect_claim *request)
{
    struct reader *reader = session->reader;
    if (reader->has_driver) {
        gboolean is_named = !strncmp(request->driver, reader->faults.driver, sizeof reader->faults.driver);
        if (request->flags & USBDEVFS_DISCONNECT_CLAIM_IF_DRIVER && !is_named) return -EBUSY;
        if (request->flags & USBDEVFS_DISCONNECT_CLAIM_EXCEPT_DRIVER && is_named) return -EBUSY;
        disconnect_driver(reader);
    }
    return interface_claim(session);
}

static int reset(struct session *session)
{
    struct reader *reader = session->reader;
    if (reader->faults.reset) return -reader->faults.reset;
    reader->tally.resets++;
    transfer_end_all(reader, -ESHUTDOWN);
    // The kernel unbinds the interface from its owner (usb_reset_device, usb_forced_unbind_intf).
    if (reader->owner) reader->tally.releases++;
    reader->owner = NULL;
    reader_restart(reader);
    return 0;
}

static int set_configuration(struct session *session, unsigned number)
{
    struct reader *reader = session->reader;
    if (reader->faults.configuration) return -reader->faults.configuration;
    // The kernel does not allow this while any process or driver owns the interface.
    if (reader->owner || reader->has_driver) return -EBUSY;
    return number == 1 ? 0 : -EINVAL;
}

static int get_driver(const struct session *session, struct usbdevfs_getdriver *answer)
{
    const struct reader *reader = session->reader;
    if (!reader->has_driver && !reader->owner) return -ENODATA;
    g_strlcpy(answer->driver, reader->has_driver ? reader->faults.driver : "usbfs", sizeof answer->driver);
    return 0;
}

int interface_execute(struct session *session, gulong request, void *argument)
{
    struct reader *reader = session->reader;
    switch (request) {
    case USBDEVFS_CLAIMINTERFACE:
        return *(unsigned *)argument == 0 ? interface_claim(session) : -ENOENT;
    case USBDEVFS_RELEASEINTERFACE:
        if (reader->owner != session) return -EINVAL;
        interface_release(session);
        return 0;
    case USBDEVFS_SETINTERFACE:
        if (reader->faults.altsetting) return -reader->faults.altsetting;
        return ((struct usbdevfs_setinterface *)argument)->altsetting == 0 ? 0 : -EINVAL;
    case USBDEVFS_SETCONFIGURATION:
        return set_configuration(session, *(unsigned *)argument);
    case USBDEVFS_GETDRIVER:
        return get_driver(session, argument);
    case USBDEVFS_CONNECTINFO:
        *(struct usbdevfs_connectinfo *)argument =
            (struct usbdevfs_connectinfo){.devnum = (unsigned)reader->device_number};
        return 0;
    case USBDEVFS_GET_CAPABILITIES:
        *(guint32 *)argument =
            USBDEVFS_CAP_ZERO_PACKET | USBDEVFS_CAP_NO_PACKET_SIZE_LIM | USBDEVFS_CAP_REAP_AFTER_DISCONNECT;
        return 0;
    case USBDEVFS_IOCTL:
        return driver_ioctl(session, argument);
    case USBDEVFS_DISCONNECT_CLAIM:
        return disconnect_and_claim(session, argument);
    case USBDEVFS_RESET:
        return reset(session);
    case USBDEVFS_GET_SPEED:
        return 2; // USB_SPEED_FULL
    case USBDEVFS_CLEAR_HALT:
    case USBDEVFS_RESETEP:
        return 0;
    default:
        return -ENOTTY;
    }
}
