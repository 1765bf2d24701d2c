// Frames between a host and a PN53x chip — NXP UM0701-02, "Host controller communication protocol"

#include "Frame.h"

#include <string.h>

/// TFI and packet data of the longest frame.
#define MAXIMUM_LENGTH 265

static guint8 sum(const guint8 *bytes, gsize length)
{
    guint8 result = 0;
    for (gsize index = 0; index < length; index++) result += bytes[index];
    return result;
}

/// The size of the frame at the start of the bytes: 0 if more bytes are needed, −1 if it is not a frame.
static gssize measure(const guint8 *bytes, gsize length, struct frame *frame)
{
    if (length < 5) return 0;
    gsize header = 5;
    gsize data = bytes[3];
    if (bytes[3] == 0x00 && bytes[4] == 0xFF) {
        frame->kind = FRAME_ACK;
        return length < 6 ? 0 : 6;
    }
    if (bytes[3] == 0xFF && bytes[4] == 0x00) {
        frame->kind = FRAME_NACK;
        return length < 6 ? 0 : 6;
    }
    if (bytes[3] == 0xFF && bytes[4] == 0xFF) {
        header = 8;
        if (length < header) return 0;
        data = (gsize)bytes[5] << 8 | bytes[6];
        if (sum(bytes + 5, 3) != 0) return -1;
    } else if (sum(bytes + 3, 2) != 0) {
        return -1;
    }
    if (data == 0 || data > MAXIMUM_LENGTH) return -1;
    if (length < header + data + 2) return 0;
    if (sum(bytes + header, data + 1) != 0) return -1;
    frame->kind = FRAME_DATA;
    frame->data = bytes + header;
    frame->length = data;
    return (gssize)(header + data + 2);
}

gboolean frame_next(GByteArray *buffer, struct frame *frame, gsize *used)
{
    while (buffer->len >= 3) {
        gssize size = memcmp(buffer->data, FRAME_PREAMBLE, 3) ? -1 : measure(buffer->data, buffer->len, frame);
        if (size == 0) return FALSE;
        if (size > 0) {
            *used = (gsize)size;
            return TRUE;
        }
        g_byte_array_remove_range(buffer, 0, 1);
    }
    return FALSE;
}

GByteArray *frame_encode(const guint8 *data, gsize length)
{
    GByteArray *frame = g_byte_array_new();
    g_byte_array_append(frame, (const guint8 *)FRAME_PREAMBLE, 3);
    guint8 short_length[] = {(guint8)length, (guint8)-length};
    guint8 high = (guint8)(length >> 8), low = (guint8)length;
    guint8 extended_length[] = {0xFF, 0xFF, high, low, (guint8) - (high + low)};
    if (length <= 0xFF) {
        g_byte_array_append(frame, short_length, sizeof short_length);
    } else {
        g_byte_array_append(frame, extended_length, sizeof extended_length);
    }
    g_byte_array_append(frame, data, (guint)length);
    guint8 trailer[] = {(guint8)-sum(data, length), 0x00};
    g_byte_array_append(frame, trailer, sizeof trailer);
    return frame;
}
