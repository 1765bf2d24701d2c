// An emulated reader between its bulk endpoints and its chip

#include "Reader.h"

#include <errno.h>
#include <poll.h>
#include <string.h>
#include <unistd.h>

#include "Transfer.h"

/// How long the chip may take to switch its field off, in milliseconds.
#define LONGEST_ANSWER 100

void reader_init(struct reader *reader, struct bus *bus, int index, int chip)
{
    reader->bus = bus;
    reader->index = index;
    reader->chip = chip;
    reader->received = g_byte_array_new();
    reader->message = g_byte_array_new();
    reader->shown = g_ptr_array_new_with_free_func(g_free);
    g_queue_init(&reader->answers);
}

void reader_take(struct reader *reader, const guint8 *bytes, gsize length)
{
    if (length > 0) reader->model->protocol->host_sent(reader, bytes, length);
}

void reader_send_to_chip(struct reader *reader, const guint8 *bytes, gsize length)
{
    while (length > 0) {
        ssize_t count = write(reader->chip, bytes, length);
        if (count > 0) {
            bytes += count;
            length -= (gsize)count;
        } else if (count < 0 && errno == EAGAIN) {
            struct pollfd line = {.fd = reader->chip, .events = POLLOUT};
            if (poll(&line, 1, 1000) <= 0) return;
        } else if (count == 0 || errno != EINTR) {
            return;
        }
    }
}

/// Whether the reader currently sends nothing.
static gboolean is_mute(const struct reader *reader)
{
    const struct faults *faults = &reader->faults;
    int commands = reader->tally.commands - reader->commands_before;
    int resets = reader->tally.resets - reader->resets_before;
    return faults->mute || (faults->mute_after && commands > faults->mute_after)
        || (faults->unplug_at && commands >= faults->unplug_at)
        || (faults->mute_until_reset && resets < faults->mute_until_reset) || (faults->once && reader->was_released);
}

/// Returns the next number of a random number generator (xorshift, 32 bits).
static guint32 draw(struct reader *reader)
{
    guint32 value = reader->random;
    value ^= value << 13;
    value ^= value >> 17;
    value ^= value << 5;
    return reader->random = value;
}

/// Corrupts an answer in one of the ways in which broken readers do.
static void mutate(struct reader *reader, GByteArray *answer)
{
    guint length = answer->len;
    switch (draw(reader) % 6) {
    case 0: // Another header.
        answer->data[0] = (guint8)draw(reader);
        break;
    case 1: // A length that is not true.
        if (length > 3) answer->data[1 + draw(reader) % 3] = (guint8)draw(reader);
        break;
    case 2:
        g_byte_array_set_size(answer, draw(reader) % length);
        break;
    case 3: // More than was announced.
        for (guint extra = draw(reader) % 64; extra > 0; extra--) {
            guint8 byte = (guint8)draw(reader);
            g_byte_array_append(answer, &byte, 1);
        }
        break;
    case 4: // A byte anywhere.
        answer->data[draw(reader) % length] ^= (guint8)(1 + draw(reader) % 255);
        break;
    default: // Nothing that makes sense.
        for (guint index = 0; index < length; index++) answer->data[index] = (guint8)draw(reader);
    }
}

void reader_answer(struct reader *reader, const guint8 *bytes, gsize length)
{
    if (is_mute(reader)) return;
    GByteArray *answer = g_byte_array_new();
    g_byte_array_append(answer, bytes, (guint)length);
    if (reader->faults.garbage) mutate(reader, answer);
    if (reader->faults.short_answer && answer->len > (guint)reader->faults.short_answer) {
        g_byte_array_set_size(answer, (guint)reader->faults.short_answer);
    }
    g_queue_push_tail(&reader->answers, g_byte_array_free_to_bytes(answer));
    transfer_deliver(reader);
}

gboolean reader_is_answer(const struct reader *reader, const struct frame *frame)
{
    if (frame->kind != FRAME_DATA) return FALSE;
    if (frame->length == 1) return frame->data[0] == FRAME_ERROR;
    return frame->data[0] == FRAME_TO_HOST && frame->data[1] == (guint8)(reader->command + 1);
}

gboolean reader_hear_chip(struct reader *reader)
{
    guint8 bytes[4096];
    ssize_t count = read(reader->chip, bytes, sizeof bytes);
    if (count < 0 && (errno == EAGAIN || errno == EINTR)) return TRUE;
    if (count <= 0) return FALSE;
    g_byte_array_append(reader->received, bytes, (guint)count);
    struct frame frame;
    gsize used;
    while (frame_next(reader->received, &frame, &used)) {
        if (reader->is_plugged) reader->model->protocol->chip_sent(reader, &frame);
        g_byte_array_remove_range(reader->received, 0, (guint)used);
    }
    return TRUE;
}

static void drop_answers(struct reader *reader)
{
    g_queue_clear_full(&reader->answers, (GDestroyNotify)g_bytes_unref);
    g_byte_array_set_size(reader->message, 0);
    reader->is_waiting = FALSE;
}

void reader_restart(struct reader *reader)
{
    drop_answers(reader);
    reader->model->protocol->restart(reader);
}

void reader_lose_power(struct reader *reader)
{
    drop_answers(reader);
    // RFConfiguration: item 1, the field is off.
    static const guint8 field_off[] = {FRAME_FROM_HOST, 0x32, 0x01, 0x00};
    GByteArray *command = frame_encode(field_off, sizeof field_off);
    reader_send_to_chip(reader, command->data, command->len);
    g_byte_array_unref(command);
    // The chip's answer must not be mistaken for one after the next plugging-in.
    struct pollfd line = {.fd = reader->chip, .events = POLLIN};
    gboolean is_answered = FALSE;
    while (!is_answered && poll(&line, 1, LONGEST_ANSWER) > 0) {
        guint8 bytes[512];
        ssize_t count = read(reader->chip, bytes, sizeof bytes);
        if (count <= 0) break;
        g_byte_array_append(reader->received, bytes, (guint)count);
        struct frame frame;
        gsize used;
        while (frame_next(reader->received, &frame, &used)) {
            is_answered |= frame.kind == FRAME_DATA && frame.length == 2 && frame.data[1] == field_off[1] + 1;
            g_byte_array_remove_range(reader->received, 0, (guint)used);
        }
    }
    g_byte_array_set_size(reader->received, 0);
}
