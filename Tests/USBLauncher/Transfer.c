// Transfers between submission and reaping: USBDEVFS_SUBMITURB, _DISCARDURB, _REAPURB — linux/usbdevice_fs.h

#include "Transfer.h"

#include <errno.h>
#include <linux/usbdevice_fs.h>
#include <string.h>

#include "Bus.h"
#include "Descriptors.h"

/// A bulk endpoint's packet size, in bytes.
#define PACKET 64
#define SETUP 8

/// A transfer. It contains copies of the client's data, which are written back when the transfer is reaped.
struct transfer {
    UMockdevIoctlData *urb;
    guint8 *bytes;
};

static struct usbdevfs_urb *fields(const struct transfer *transfer) { return (void *)transfer->urb->data; }

static void transfer_free(gpointer data)
{
    struct transfer *transfer = data;
    g_object_unref(transfer->urb);
    g_free(transfer);
}

static void finish(struct session *session, struct transfer *transfer, int status, gsize length)
{
    fields(transfer)->status = status;
    fields(transfer)->actual_length = (int)length;
    g_queue_remove(&session->submitted, transfer);
    g_queue_push_tail(&session->completed, transfer);
    transfer_answer_reaper(session, 0);
}

/// Releases a client. Do not call it under the lock: releasing the last reference closes the session.
static gboolean drop(gpointer client)
{
    g_object_unref(client);
    return G_SOURCE_REMOVE;
}

void transfer_answer_reaper(struct session *session, int error)
{
    if (!session->reaper) return;
    struct transfer *transfer = g_queue_pop_head(&session->completed);
    if (!transfer && !error) return;
    UMockdevIoctlClient *client = g_steal_pointer(&session->reaper);
    if (session->patience) g_source_remove(session->patience);
    session->patience = 0;
    if (transfer) {
        umockdev_ioctl_data_set_ptr(session->reaped, 0, transfer->urb);
        transfer_free(transfer);
        umockdev_ioctl_client_complete(client, 0, 0);
    } else {
        umockdev_ioctl_client_complete(client, -1, -error);
    }
    g_clear_object(&session->reaped);
    g_idle_add(drop, client);
}

/// A control transfer: eight bytes of setup, then the data.
static void control(struct session *session, struct transfer *transfer)
{
    int length = fields(transfer)->buffer_length;
    const guint8 *bytes = transfer->bytes;
    if (length < SETUP) return finish(session, transfer, -EINVAL, 0);
    struct usb_setup setup = {bytes[0], bytes[1], (guint16)(bytes[2] | bytes[3] << 8),
                              (guint16)(bytes[4] | bytes[5] << 8), (guint16)(bytes[6] | bytes[7] << 8)};
    if (setup.length > length - SETUP) return finish(session, transfer, -EINVAL, 0);
    int result = descriptors_control(session->reader, &setup, transfer->bytes + SETUP);
    finish(session, transfer, result < 0 ? result : 0, result < 0 ? 0 : (gsize)result);
}

static void send(struct session *session, struct transfer *transfer)
{
    struct reader *reader = session->reader;
    gsize length = (gsize)fields(transfer)->buffer_length;
    GBytes *bytes = g_bytes_new(transfer->bytes, length);
    finish(session, transfer, 0, length);
    reader_take(reader, g_bytes_get_data(bytes, NULL), length);
    g_bytes_unref(bytes);
    if (reader->faults.unplug_at && reader->tally.commands - reader->commands_before >= reader->faults.unplug_at) {
        bus_unplug_soon(reader);
    }
}

int transfer_submit(struct session *session, UMockdevIoctlData *urb, UMockdevIoctlData *buffer)
{
    const struct model *model = session->reader->model;
    struct transfer *transfer = g_new0(struct transfer, 1);
    transfer->urb = g_object_ref(urb);
    transfer->bytes = buffer ? buffer->data : NULL;
    guint8 type = fields(transfer)->type, endpoint = fields(transfer)->endpoint;
    gboolean is_bulk = type == USBDEVFS_URB_TYPE_BULK;
    gboolean is_interrupt = type == USBDEVFS_URB_TYPE_INTERRUPT && model->interrupt_in == endpoint;
    gboolean is_known = type == USBDEVFS_URB_TYPE_CONTROL || is_interrupt
        || (is_bulk && (endpoint == model->bulk_out || endpoint == model->bulk_in));
    if (!is_known) {
        transfer_free(transfer);
        return -ENOENT;
    }
    g_queue_push_tail(&session->submitted, transfer);
    if (type == USBDEVFS_URB_TYPE_CONTROL) {
        control(session, transfer);
    } else if (is_bulk && session->reader->faults.stall) {
        finish(session, transfer, -EPIPE, 0);
    } else if (is_bulk && endpoint == model->bulk_out) {
        send(session, transfer);
    } else if (is_bulk) {
        transfer_deliver(session->reader);
    }
    return 0;
}

int transfer_discard(struct session *session, gulong address)
{
    for (GList *item = session->submitted.head; item; item = item->next) {
        struct transfer *transfer = item->data;
        if (transfer->urb->client_addr != address) continue;
        finish(session, transfer, -ENOENT, 0);
        return 0;
    }
    return -EINVAL;
}

/// Returns the first transfer of the session that waits for an answer.
static struct transfer *waiting(const struct session *session)
{
    for (GList *item = session->submitted.head; item; item = item->next) {
        if (fields(item->data)->endpoint == session->reader->model->bulk_in) return item->data;
    }
    return NULL;
}

void transfer_deliver(struct reader *reader)
{
    for (GList *item = reader->sessions; item; item = item->next) {
        struct session *session = item->data;
        struct transfer *transfer;
        while (!g_queue_is_empty(&reader->answers) && (transfer = waiting(session))) {
            GBytes *answer = g_queue_pop_head(&reader->answers);
            gsize length = g_bytes_get_size(answer), room = (gsize)fields(transfer)->buffer_length;
            gsize count = MIN(length, room);
            if (count) memcpy(transfer->bytes, g_bytes_get_data(answer, NULL), count);
            if (length > room && room % PACKET == 0) {
                // The next packets are for the next transfer.
                g_queue_push_head(&reader->answers, g_bytes_new_from_bytes(answer, room, length - room));
                finish(session, transfer, 0, count);
            } else {
                finish(session, transfer, length > room ? -EOVERFLOW : 0, count);
            }
            g_bytes_unref(answer);
        }
    }
}

void transfer_end_all(struct reader *reader, int status)
{
    for (GList *item = reader->sessions; item; item = item->next) {
        struct session *session = item->data;
        struct transfer *transfer;
        while ((transfer = g_queue_peek_head(&session->submitted))) finish(session, transfer, status, 0);
    }
}

void transfer_forget_all(struct session *session)
{
    if (session->patience) g_source_remove(session->patience);
    session->patience = 0;
    g_queue_clear_full(&session->submitted, transfer_free);
    g_queue_clear_full(&session->completed, transfer_free);
}
