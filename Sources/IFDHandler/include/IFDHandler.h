// The protocol between a virtual reader and the IFD handler that pcscd loads: two connections to one Unix socket.
//
// Nothing here is called by name: pcscd looks up the functions of <ifdhandler.h>.
#ifndef NFCTOOL_IFD_HANDLER_H
#define NFCTOOL_IFD_HANDLER_H

/// The kind of a connection, which is its first byte.
enum ifd_connection {
    /// Calls: a struct ifd_request with its data, answered by a struct ifd_reply with its data.
    IFD_CALLS = 'C',
    /// Events from the reader, one byte each: '+' when a card arrives, '-' when it leaves.
    IFD_EVENTS = 'E',
};

/// The request of a call.
enum ifd_call {
    /// The argument is an action of IFDHPowerICC(); the data of the answer is the ATR.
    IFD_POWER = 1,
    /// An APDU for the card; the argument is the protocol.
    IFD_TRANSMIT = 2,
    /// The argument is the control code.
    IFD_CONTROL = 3,
    /// Answered with IFD_ICC_PRESENT or IFD_ICC_NOT_PRESENT.
    IFD_PRESENCE = 4,
    /// The argument is the tag of the attribute.
    IFD_ATTRIBUTE = 5,
};

/// Requests and replies use the machine's byte order, because both ends run on the same machine.
struct ifd_request {
    unsigned call, argument, length;
};

struct ifd_reply {
    /// A response code of <ifdhandler.h>.
    unsigned code;
    unsigned length;
};

#endif
