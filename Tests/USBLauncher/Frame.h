// Frames between a host and a PN53x chip — NXP UM0701-02, "Host controller communication protocol"
#ifndef FRAME_H
#define FRAME_H

#include <glib.h>

enum frame_kind { FRAME_ACK, FRAME_NACK, FRAME_DATA };

/// The start code `00 FF` after a preamble; every frame begins with it.
#define FRAME_PREAMBLE "\x00\x00\xFF"
/// TFI of frames from the host, and of those to it.
#define FRAME_FROM_HOST 0xD4
#define FRAME_TO_HOST 0xD5
/// The one byte of an error frame: a syntax error at application level.
#define FRAME_ERROR 0x7F

/// A whole frame found in a stream.
struct frame {
    enum frame_kind kind;
    /// TFI and packet data of FRAME_DATA; points into the stream's buffer.
    const guint8 *data;
    gsize length;
};

/// Takes the next whole frame from the front of the buffer. Returns false if more bytes are needed.
///
/// Bytes that are not part of a frame are dropped. The caller removes `*used` bytes when it no longer needs the frame.
gboolean frame_next(GByteArray *buffer, struct frame *frame, gsize *used);

/// Returns a frame around TFI and packet data. The caller frees it.
GByteArray *frame_encode(const guint8 *data, gsize length);

#endif
