// A card for one reader after the other: what it is asked, what it answers, and what of that is worth telling

/// An emulated tag that other readers use, one after the other.
package struct Emulation: Sendable {
    /// What readers did.
    package enum Event: Hashable, Sendable {
        /// A reader sent its first command: one that only looked what is there is no event.
        case readerCame
        /// A C-APDU and its R-APDU.
        case exchanged(command: [UInt8], answer: [UInt8])
        /// A reader wrote this message; nil when what it wrote is no message's length.
        case written([UInt8]?)
        case readerLeft
    }

    private var tag: EmulatedType4Tag
    private let count: Int?
    /// How many have read or written it.
    private var served = 0
    /// The reader of now has sent a command.
    private var isInUse = false
    private var isServed = false
    /// The message that was reported last.
    private var told: [UInt8]?

    /// Describes a card that ends after `count` readers; nil for any number.
    package init(_ tag: EmulatedType4Tag, count: Int?) {
        (self.tag, self.count) = (tag, count)
        told = tag.message
    }

    /// The message on it; empty for none.
    package var message: [UInt8] { tag.message ?? [] }

    /// Whether readers may write.
    package var isWritable: Bool { tag.isWritable }

    /// Another reader has activated it.
    package mutating func activated() {
        tag.reset()
        (isInUse, isServed) = (false, false)
    }

    /// Carries out one command.
    ///
    /// - Returns: the R-APDU, and what happened, in order.
    package mutating func answer(to command: [UInt8]) -> (answer: [UInt8], events: [Event]) {
        var events: [Event] = isInUse ? [] : [.readerCame]
        isInUse = true
        let answer = tag.response(to: command)
        events.append(.exchanged(command: command, answer: answer))
        let exchange = TagExchange(command: command, answer: answer)
        if exchange.readsOrWrites, tag.isNDEFFileSelected { isServed = true }
        // The length is written last.
        if exchange.writesLength, tag.isNDEFFileSelected, let message = tag.message, !message.isEmpty {
            told = message
            events.append(.written(message))
        }
        return (answer, events)
    }

    /// The reader has left.
    ///
    /// - Returns: what happened, in order, and whether it was the last reader.
    package mutating func deselected() -> (events: [Event], isLast: Bool) {
        defer { (isInUse, isServed) = (false, false) }
        guard isInUse else { return ([], false) }
        var events: [Event] = []
        if tag.message != told {
            told = tag.message
            events.append(.written(told))
        }
        events.append(.readerLeft)
        if isServed { served += 1 }
        return (events, served == count)
    }
}

/// What an APDU did to the NDEF file.
private struct TagExchange {
    private let isSuccess: Bool
    private let ins: UInt8
    private let offset: Int

    init(command: [UInt8], answer: [UInt8]) {
        isSuccess = answer.suffix(2) == [0x90, 0x00] && command.count > 4
        ins = command.count > 1 ? command[1] : 0
        offset = command.count > 3 ? Int(command[2]) << 8 | Int(command[3]) : 0
    }

    /// READ BINARY or UPDATE BINARY.
    var readsOrWrites: Bool { isSuccess && (ins == 0xB0 || ins == 0xD6) }

    /// UPDATE BINARY of NLEN, the first two bytes.
    var writesLength: Bool { isSuccess && ins == 0xD6 && offset < 2 }
}
