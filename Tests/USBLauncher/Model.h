// The readers that can be emulated: their descriptors and their protocols — USB 2.0, chapter 9
#ifndef MODEL_H
#define MODEL_H

#include <glib.h>

struct reader;
struct frame;

/// The firmware of a reader, between the bulk endpoints and the chip. Its functions are called under the bus's lock.
struct protocol {
    /// A bulk OUT transfer arrived.
    void (*host_sent)(struct reader *reader, const guint8 *bytes, gsize length);
    /// The chip sent a frame.
    void (*chip_sent)(struct reader *reader, const struct frame *frame);
    /// Power-up, or a USB reset.
    void (*restart)(struct reader *reader);
};

/// A kind of reader.
struct model {
    const char *name;
    /// Device descriptor, 18 bytes; the index of the serial number's string is 0.
    const guint8 *device;
    /// The configuration descriptor, followed by the descriptors of the interface and the endpoints.
    const guint8 *configuration;
    gsize configuration_length;
    /// Strings 1 and 2.
    const char *manufacturer, *product;
    const char *speed;
    /// Endpoint addresses; 0 means none.
    guint8 bulk_out, bulk_in, interrupt_in;
    const struct protocol *protocol;
};

#define DEVICE_DESCRIPTOR_LENGTH 18

/// Returns the model with this name, or NULL.
const struct model *model_named(const char *name, gsize length);

#endif
