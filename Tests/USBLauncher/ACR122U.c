// The ACR122U's firmware: CCID messages around pseudo-APDUs — USB CCID 1.1; ACS, "ACR122U API"

#include "ACR122U.h"

#include <string.h>

#include "Reader.h"

/// Bulk messages of CCID 1.1, 6.1 and 6.2.
enum message_type {
    SET_PARAMETERS = 0x61,
    ICC_POWER_ON = 0x62,
    ICC_POWER_OFF = 0x63,
    GET_SLOT_STATUS = 0x65,
    ESCAPE = 0x6B,
    GET_PARAMETERS = 0x6C,
    XFR_BLOCK = 0x6F,
    DATA_BLOCK = 0x80,
    SLOT_STATUS = 0x81,
    PARAMETERS = 0x82,
    ESCAPE_ANSWER = 0x83,
};

/// Length of a message's header, and the descriptor's dwMaxCCIDMessageLength.
#define HEADER 10
#define LONGEST_MESSAGE 271

/// CLA of pseudo-APDUs.
#define PSEUDO 0xFF
/// P1 of the pseudo-APDUs of INS 00.
enum pseudo_command {
    DIRECT_TRANSMIT = 0x00,
    LED_AND_BUZZER = 0x40,
    TIMEOUT = 0x41,
    FIRMWARE_VERSION = 0x48,
    GET_PICC_PARAMETERS = 0x50,
    SET_PICC_PARAMETERS = 0x51,
    BUZZER_ON_DETECTION = 0x52,
};

static const char *const firmware = "ACR122U207";
/// The state of the two-colour LED without a card: red.
#define LED_AT_START 0x01
/// The PICC operating parameter after power-up: polls for all kinds of tag.
#define PICC_PARAMETERS 0xFF

static const guint8 success[] = {0x90, 0x00};
static const guint8 failure[] = {0x63, 0x00};
/// The status word for a command that the chip rejects.
static const guint8 parameter_error[] = {0x63, 0x7F};

/// Sends a message as the answer. No card is powered: real readers then report status 00 or 02 and error 81.
static void send(struct reader *reader, guint8 type, guint8 status, guint8 error, const guint8 *data, gsize length)
{
    guint8 message[LONGEST_MESSAGE] = {type, (guint8)length, (guint8)(length >> 8), 0, 0, 0, reader->sequence, status,
                                       error, 0};
    if (length) memcpy(message + HEADER, data, length);
    reader->is_waiting = FALSE;
    reader_answer(reader, message, HEADER + length);
}

/// Answers an APDU with data and a status word.
static void answer(struct reader *reader, const guint8 *data, gsize length, const guint8 status[2])
{
    guint8 bytes[LONGEST_MESSAGE - HEADER];
    if (length + 2 > sizeof bytes) {
        length = 0;
        status = failure;
    }
    if (length) memcpy(bytes, data, length);
    memcpy(bytes + length, status, 2);
    gboolean is_escape = reader->message_type == ESCAPE;
    send(reader, is_escape ? ESCAPE_ANSWER : DATA_BLOCK, is_escape ? 0x02 : 0x00, 0x81, bytes, length + 2);
}

/// Records a command for the LED or the buzzer.
static void note(struct reader *reader, const guint8 *apdu, gsize length)
{
    GString *text = g_string_new(NULL);
    for (gsize index = 0; index < length; index++) g_string_append_printf(text, index ? " %02X" : "%02X", apdu[index]);
    g_ptr_array_add(reader->shown, g_string_free(text, FALSE));
}

/// Sets the LED: P2 contains the final states (bits 0 red, 1 green) and their masks (bits 2, 3).
static void set_led(struct reader *reader, guint8 p2)
{
    guint8 mask = p2 >> 2 & 0x03;
    reader->led = (reader->led & ~mask) | (p2 & mask);
    answer(reader, NULL, 0, (guint8[]){0x90, reader->led});
}

static void execute(struct reader *reader, const guint8 *apdu, gsize length)
{
    if (length < 5 || apdu[0] != PSEUDO || apdu[1] != 0x00) return answer(reader, NULL, 0, failure);
    guint8 p2 = apdu[3], lc = apdu[4];
    switch (apdu[2]) {
    case DIRECT_TRANSMIT:
        if (lc < 2 || length != 5u + lc || apdu[5] != FRAME_FROM_HOST) return answer(reader, NULL, 0, failure);
        reader->is_waiting = TRUE;
        reader->command = apdu[6];
        GByteArray *frame = frame_encode(apdu + 5, lc);
        reader_send_to_chip(reader, frame->data, frame->len);
        g_byte_array_unref(frame);
        return;
    case LED_AND_BUZZER:
        note(reader, apdu, length);
        if (lc != 4 || length != 9) return answer(reader, NULL, 0, failure);
        return set_led(reader, p2);
    case TIMEOUT:
        return answer(reader, NULL, 0, success);
    case FIRMWARE_VERSION:
        // This is the only answer without a status word.
        return send(reader, reader->message_type == ESCAPE ? ESCAPE_ANSWER : DATA_BLOCK,
                    reader->message_type == ESCAPE ? 0x02 : 0x00, 0x81, (const guint8 *)firmware, strlen(firmware));
    case GET_PICC_PARAMETERS:
        return answer(reader, NULL, 0, (guint8[]){0x90, PICC_PARAMETERS});
    case SET_PICC_PARAMETERS:
        return answer(reader, NULL, 0, (guint8[]){0x90, p2});
    case BUZZER_ON_DETECTION:
        note(reader, apdu, length);
        return answer(reader, NULL, 0, success);
    default:
        return answer(reader, NULL, 0, failure);
    }
}

static void take_message(struct reader *reader, const guint8 *message, gsize length)
{
    reader->message_type = message[0];
    reader->sequence = message[6];
    reader->is_waiting = FALSE;
    reader->tally.commands++;
    switch (message[0]) {
    case XFR_BLOCK:
    case ESCAPE:
        return execute(reader, message + HEADER, length - HEADER);
    case ICC_POWER_ON:
        // Failed, no card present; ICC_MUTE.
        return send(reader, DATA_BLOCK, 0x42, 0xFE, NULL, 0);
    case ICC_POWER_OFF:
    case GET_SLOT_STATUS:
        return send(reader, SLOT_STATUS, 0x02, 0x81, NULL, 0);
    case GET_PARAMETERS:
    case SET_PARAMETERS:
        return send(reader, PARAMETERS, 0x42, 0xFE, NULL, 0);
    default:
        // Failed, command not supported.
        return send(reader, SLOT_STATUS, 0x42, 0x00, NULL, 0);
    }
}

static void host_sent(struct reader *reader, const guint8 *bytes, gsize length)
{
    GByteArray *message = reader->message;
    g_byte_array_append(message, bytes, (guint)length);
    while (message->len >= HEADER) {
        gsize data = message->data[1] | (gsize)message->data[2] << 8;
        gsize whole = HEADER + data;
        if (whole > LONGEST_MESSAGE || message->data[3] || message->data[4]) {
            g_byte_array_set_size(message, 0);
            return;
        }
        if (message->len < whole) return;
        take_message(reader, message->data, whole);
        g_byte_array_remove_range(message, 0, (guint)whole);
    }
}

static void chip_sent(struct reader *reader, const struct frame *frame)
{
    if (!reader->is_waiting || !reader_is_answer(reader, frame)) return;
    if (frame->length == 1) return answer(reader, NULL, 0, parameter_error);
    answer(reader, frame->data, frame->length, success);
}

static void restart(struct reader *reader) { reader->led = LED_AT_START; }

const struct protocol acr122u_protocol = {host_sent, chip_sent, restart};
