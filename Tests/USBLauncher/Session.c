// One open file of a device node: the ioctls of usbfs — linux/usbdevice_fs.h, drivers/usb/core/devio.c

#include "Session.h"

#include <errno.h>
#include <linux/usbdevice_fs.h>
#include <stddef.h>
#include <string.h>
#include <sys/ioctl.h>

#include "Bus.h"
#include "Descriptors.h"
#include "Interface.h"
#include "Transfer.h"

/// The keys of the data that is attached to umockdev's objects.
static const char *const session_key = "session";
static const char *const generation_key = "generation";

/// The delay of EAGAIN, in milliseconds. Clients try again immediately, because they cannot wait for these nodes.
#define PATIENCE 2
/// The same for clients that would wait forever, which then have to try again.
#define LONG_PATIENCE 100
/// The time in which the launcher notices that a session was closed, in milliseconds.
#define NEWS 20

/// Returns the data in the client to which an argument points, or NULL if it cannot be read.
static UMockdevIoctlData *resolve(UMockdevIoctlData *from, gsize offset, gsize length)
{
    GError *error = NULL;
    UMockdevIoctlData *data = umockdev_ioctl_data_resolve(from, offset, length, &error);
    g_clear_error(&error);
    return data;
}

static gboolean is_alive(const struct session *session)
{
    return session->reader->is_plugged && session->generation == session->reader->generation;
}

/// The size of the data to which an ioctl's argument points.
static gsize argument_size(gulong request)
{
    switch (request) {
    case USBDEVFS_RESET:
    case USBDEVFS_GET_SPEED:
    case USBDEVFS_DISCARDURB:
        return 0;
    case USBDEVFS_SUBMITURB:
        return sizeof(struct usbdevfs_urb);
    case USBDEVFS_REAPURB:
    case USBDEVFS_REAPURBNDELAY:
        return sizeof(void *);
    default:
        return _IOC_SIZE(request);
    }
}

/// USBDEVFS_CONTROL, which waits for its transfer.
static int control(struct session *session, UMockdevIoctlData *argument)
{
    const struct usbdevfs_ctrltransfer *transfer = (void *)argument->data;
    struct usb_setup setup = {transfer->bRequestType, transfer->bRequest, transfer->wValue, transfer->wIndex,
                              transfer->wLength};
    UMockdevIoctlData *data = NULL;
    if (setup.length) {
        data = resolve(argument, offsetof(struct usbdevfs_ctrltransfer, data), setup.length);
        if (!data) return -EFAULT;
    }
    g_mutex_lock(&session->reader->bus->lock);
    int result = is_alive(session) ? descriptors_control(session->reader, &setup, data ? data->data : NULL) : -ENODEV;
    g_mutex_unlock(&session->reader->bus->lock);
    g_clear_object(&data);
    return result;
}

static void complete(UMockdevIoctlClient *client, int result)
{
    umockdev_ioctl_client_complete(client, result < 0 ? -1 : result, result < 0 ? -result : 0);
}

/// Answers a client because no transfer was completed in time.
static gboolean patience_ended(gpointer data)
{
    struct session *session = data;
    g_mutex_lock(&session->reader->bus->lock);
    session->patience = 0;
    transfer_answer_reaper(session, -EAGAIN);
    g_mutex_unlock(&session->reader->bus->lock);
    return G_SOURCE_REMOVE;
}

/// Reaps a transfer, or keeps the client waiting for one. Call it under the lock.
static void reap(struct session *session, UMockdevIoctlClient *client, UMockdevIoctlData *pointer, gboolean may_wait)
{
    session->reaper = g_object_ref(client);
    session->reaped = g_object_ref(pointer);
    if (!g_queue_is_empty(&session->completed)) return transfer_answer_reaper(session, 0);
    if (!is_alive(session)) return transfer_answer_reaper(session, -ENODEV);
    // The launcher does not notice when a waiting client ends, so every wait has a limit.
    session->patience = g_timeout_add_full(G_PRIORITY_DEFAULT, may_wait ? LONG_PATIENCE : PATIENCE, patience_ended,
                                           g_atomic_rc_box_acquire(session), session_unref);
}

/// Submits a transfer. Its data is read from the client before the lock is taken.
static int submit(struct session *session, UMockdevIoctlData *argument)
{
    const struct usbdevfs_urb *fields = (void *)argument->data;
    if (fields->buffer_length < 0 || fields->buffer_length > 1 << 20) return -EINVAL;
    gsize length = (gsize)fields->buffer_length;
    UMockdevIoctlData *buffer = NULL;
    if (length > 0) {
        buffer = resolve(argument, offsetof(struct usbdevfs_urb, buffer), length);
        if (!buffer) return -EFAULT;
    }
    g_mutex_lock(&session->reader->bus->lock);
    int result = is_alive(session) ? 0 : -ENODEV;
    if (!result && session->reader->faults.read_only) result = -EPERM;
    if (!result && fields->type != USBDEVFS_URB_TYPE_CONTROL) result = interface_claim(session);
    if (!result) result = transfer_submit(session, argument, buffer);
    g_mutex_unlock(&session->reader->bus->lock);
    g_clear_object(&buffer);
    return result;
}

/// An ioctl that will be tried again.
struct retry {
    struct session *session;
    UMockdevIoctlClient *client;
    UMockdevIoctlData *argument;
    gulong request;
};

static gboolean try_again(gpointer data)
{
    struct retry *retry = data;
    GMutex *lock = &retry->session->reader->bus->lock;
    g_mutex_lock(lock);
    gboolean is_there = is_alive(retry->session);
    int result = is_there ? interface_execute(retry->session, retry->request, retry->argument->data) : -ENODEV;
    g_mutex_unlock(lock);
    complete(retry->client, result);
    g_object_unref(retry->argument);
    g_object_unref(retry->client);
    session_unref(retry->session);
    g_free(retry);
    return G_SOURCE_REMOVE;
}

/// Tries an ioctl again soon: the session that owns the interface may be closed, which becomes known later than in a
/// kernel.
static void retry_soon(
    struct session *session, UMockdevIoctlClient *client, UMockdevIoctlData *argument, gulong request)
{
    struct retry *retry = g_new0(struct retry, 1);
    retry->session = g_atomic_rc_box_acquire(session);
    retry->client = g_object_ref(client);
    retry->argument = g_object_ref(argument);
    retry->request = request;
    g_timeout_add(NEWS, try_again, retry);
}

static gboolean on_ioctl(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer user_data)
{
    (void)handler, (void)user_data;
    struct session *session = g_object_get_data(G_OBJECT(client), session_key);
    GMutex *lock = &session->reader->bus->lock;
    // The kernel's request numbers have 32 bits. The cast removes a sign extension.
    gulong request = (guint32)umockdev_ioctl_client_get_request(client);
    UMockdevIoctlData *raw = umockdev_ioctl_client_get_arg(client);
    UMockdevIoctlData *argument = NULL;
    gsize size = argument_size(request);
    if (size > 0 && !(argument = resolve(raw, 0, size))) {
        complete(client, -EFAULT);
        return TRUE;
    }
    gboolean is_reap = request == USBDEVFS_REAPURB || request == USBDEVFS_REAPURBNDELAY;
    gboolean is_late = FALSE;
    int result = 0;
    if (request == USBDEVFS_SUBMITURB) {
        result = submit(session, argument);
    } else if (request == USBDEVFS_CONTROL) {
        result = control(session, argument);
    } else {
        g_mutex_lock(lock);
        if (is_reap) {
            reap(session, client, argument, request == USBDEVFS_REAPURB);
        } else if (!is_alive(session)) {
            result = -ENODEV;
        } else if (session->reader->faults.read_only) {
            result = -EPERM;
        } else if (request == USBDEVFS_DISCARDURB) {
            result = transfer_discard(session, *(gulong *)raw->data);
        } else {
            result = interface_execute(session, request, argument ? argument->data : NULL);
            is_late = result == -EBUSY && argument && session->reader->owner && session->reader->owner != session;
        }
        g_mutex_unlock(lock);
    }
    if (is_late) retry_soon(session, client, argument, request);
    if (!is_reap && !is_late) complete(client, result);
    g_clear_object(&argument);
    return TRUE;
}

/// Lets descriptors be read from the node as from a file, as long as the device is present.
static gboolean on_read(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer user_data)
{
    (void)handler, (void)user_data;
    struct session *session = g_object_get_data(G_OBJECT(client), session_key);
    g_mutex_lock(&session->reader->bus->lock);
    gboolean is_there = is_alive(session);
    g_mutex_unlock(&session->reader->bus->lock);
    if (!is_there) complete(client, -ENODEV);
    return !is_there;
}

/// Handles the end of a session because the node was closed or the process ended. The only sign of this is that
/// umockdev's object is released.
static void on_closing(gpointer data, GObject *client)
{
    (void)client;
    struct session *session = data;
    GMutex *lock = &session->reader->bus->lock;
    g_mutex_lock(lock);
    session->reader->tally.closes++;
    interface_release(session);
    session->reader->sessions = g_list_remove(session->reader->sessions, session);
    transfer_forget_all(session);
    g_mutex_unlock(lock);
    session_unref(session);
}

static void on_opening(UMockdevIoctlBase *handler, UMockdevIoctlClient *client, gpointer user_data)
{
    struct reader *reader = user_data;
    struct session *session = g_atomic_rc_box_new0(struct session);
    session->reader = reader;
    session->generation = GPOINTER_TO_INT(g_object_get_data(G_OBJECT(handler), generation_key));
    g_queue_init(&session->submitted);
    g_queue_init(&session->completed);
    g_object_set_data(G_OBJECT(client), session_key, session);
    g_object_weak_ref(G_OBJECT(client), on_closing, session);
    g_mutex_lock(&reader->bus->lock);
    reader->tally.opens++;
    reader->sessions = g_list_append(reader->sessions, session);
    g_mutex_unlock(&reader->bus->lock);
}

void session_unref(gpointer session) { g_atomic_rc_box_release(session); }

UMockdevIoctlBase *session_make_handler(struct reader *reader)
{
    UMockdevIoctlBase *handler = umockdev_ioctl_base_new();
    g_object_set_data(G_OBJECT(handler), generation_key, GINT_TO_POINTER(reader->generation));
    g_signal_connect(handler, "client-connected", G_CALLBACK(on_opening), reader);
    g_signal_connect(handler, "handle-ioctl", G_CALLBACK(on_ioctl), reader);
    g_signal_connect(handler, "handle-read", G_CALLBACK(on_read), reader);
    return handler;
}
