// A PN533's USB interface: the chip's own frames, one per bulk transfer — NXP UM0801-03

#include "PN533USB.h"

#include <string.h>

#include "Reader.h"

/// The chip's ACK comes between a host's command and the chip's answer. An answer that comes late, after the host has
/// cancelled a command with an ACK, is dropped, as the chip itself would do.
static void host_sent(struct reader *reader, const guint8 *bytes, gsize length)
{
    GByteArray *stream = g_byte_array_new();
    g_byte_array_append(stream, bytes, (guint)length);
    struct frame frame;
    gsize used;
    if (frame_next(stream, &frame, &used)) {
        if (frame.kind == FRAME_DATA) {
            reader->tally.commands++;
            reader->command = frame.length > 1 ? frame.data[1] : 0;
            reader->is_acknowledged = FALSE;
        } else if (frame.kind == FRAME_ACK) {
            g_queue_clear_full(&reader->answers, (GDestroyNotify)g_bytes_unref);
        }
        // NACK requests the last answer again.
        reader->is_waiting = frame.kind != FRAME_ACK;
    }
    g_byte_array_unref(stream);
    reader_send_to_chip(reader, bytes, length);
}

static void chip_sent(struct reader *reader, const struct frame *frame)
{
    static const guint8 ack[] = {0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00};
    if (!reader->is_waiting) return;
    if (frame->kind == FRAME_ACK && !reader->is_acknowledged) {
        reader->is_acknowledged = TRUE;
        reader_answer(reader, ack, sizeof ack);
    } else if (reader->is_acknowledged && reader_is_answer(reader, frame)) {
        reader->is_waiting = FALSE;
        GByteArray *bytes = frame_encode(frame->data, frame->length);
        reader_answer(reader, bytes->data, bytes->len);
        g_byte_array_unref(bytes);
    }
}

static void restart(struct reader *reader) { (void)reader; }

const struct protocol pn533_usb_protocol = {host_sent, chip_sent, restart};
