// An emulated reader between its bulk endpoints and its chip
#ifndef READER_H
#define READER_H

#include <glib.h>

#include "Faults.h"
#include "Frame.h"
#include "Model.h"

struct bus;

/// The commands and events of a reader, counted since the start.
struct tally {
    int opens, closes, claims, releases, resets, commands;
};

/// One reader; everything that changes is guarded by the bus's lock.
struct reader {
    struct bus *bus;
    int index;
    const struct model *model;
    /// Its port, such as `1-2.3`.
    const char *port;
    /// Its serial number, or NULL.
    const char *serial;

    // The chip's side.
    int chip;
    GByteArray *received;

    // The device's side.
    gboolean is_plugged;
    /// The number of times that it was plugged in, which identifies files that were opened before it was unplugged.
    int generation;
    int device_number;
    char *syspath, *node;
    struct faults faults;
    /// Whether the kernel driver is bound now.
    gboolean has_driver;
    struct tally tally;
    /// `tally.commands` and `tally.resets` when the faults were last set.
    int commands_before, resets_before;
    gboolean was_released;
    guint32 random;
    /// The session that has claimed the interface.
    struct session *owner;
    /// Transfers for the bulk IN endpoint that have not been fetched yet (GBytes).
    GQueue answers;
    /// Open sessions.
    GList *sessions;

    // The microcontroller's state.
    GByteArray *message;
    guint8 sequence, message_type;
    /// The code of the current command, whether its answer is still missing, and whether it was acknowledged.
    guint8 command;
    gboolean is_waiting, is_acknowledged;
    guint8 led;
    /// LED and buzzer commands as hex text (char *).
    GPtrArray *shown;
};

/// Sets up a reader whose chip is at this descriptor.
void reader_init(struct reader *reader, struct bus *bus, int index, int chip);

/// Handles a bulk OUT transfer from the host.
void reader_take(struct reader *reader, const guint8 *bytes, gsize length);

/// Sends bytes to the chip's serial line.
void reader_send_to_chip(struct reader *reader, const guint8 *bytes, gsize length);

/// Makes an answer available at the bulk IN endpoint, if the faults permit it.
void reader_answer(struct reader *reader, const guint8 *bytes, gsize length);

/// Whether a frame of the chip answers the waiting command: it contains the command's code plus one, or is an error
/// frame.
gboolean reader_is_answer(const struct reader *reader, const struct frame *frame);

/// Reads bytes from the chip. Returns false when its serial line is closed.
gboolean reader_hear_chip(struct reader *reader);

/// Resets the reader's state after power-up or a USB reset.
void reader_restart(struct reader *reader);

/// Handles the loss of power: the chip's field goes off, and with it all tags lose their power.
void reader_lose_power(struct reader *reader);

#endif
