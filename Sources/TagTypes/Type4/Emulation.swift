// An emulated card that several readers use in succession, with the events to report

/// An emulated tag that other readers use one after the other.
package struct Emulation: Sendable {
    /// An action of a reader that is to be reported.
    package enum Event: Hashable, Sendable {
        /// A reader sent its first command. A reader that only detects the card does not cause an event.
        case readerCame
        /// A reader sent a C-APDU and received an R-APDU.
        case exchanged(command: [UInt8], answer: [UInt8])
        /// A reader wrote a message, which is `nil` if the reader wrote an invalid length.
        case written([UInt8]?)
        case readerLeft
    }

    private var tag: EmulatedType4Tag
    private let count: Int?
    /// The number of readers that have left after they read or wrote the message.
    private var served = 0
    /// Whether the current reader has already sent a command.
    private var isInUse = false
    private var isServed = false
    /// The message that was reported last.
    private var told: [UInt8]?

    /// Creates a card whose emulation ends after `count` readers, or never if `count` is `nil`.
    package init(_ tag: EmulatedType4Tag, count: Int?) {
        (self.tag, self.count) = (tag, count)
        told = tag.message
    }

    /// The bytes of the message on the card, which are empty if there is no valid message.
    package var message: [UInt8] { tag.message ?? [] }

    package var isWritable: Bool { tag.isWritable }

    /// Starts a new session, because a reader has activated the card.
    package mutating func activated() {
        tag.reset()
        (isInUse, isServed) = (false, false)
    }

    /// Carries out one command of a reader.
    ///
    /// - Returns: the R-APDU, and the events in order.
    package mutating func answer(to command: [UInt8]) -> (answer: [UInt8], events: [Event]) {
        var events: [Event] = isInUse ? [] : [.readerCame]
        isInUse = true
        let answer = tag.response(to: command)
        events.append(.exchanged(command: command, answer: answer))
        let exchange = TagExchange(command: command, answer: answer)
        if exchange.readsOrWrites, tag.isNDEFFileSelected { isServed = true }
        // Readers write the length last, so after that the message is complete.
        if exchange.writesLength, tag.isNDEFFileSelected, let message = tag.message, !message.isEmpty {
            told = message
            events.append(.written(message))
        }
        return (answer, events)
    }

    /// Ends the session, because the reader has left.
    ///
    /// - Returns: the events in order, and whether this was the last reader.
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

/// A command and the result in its answer, from which the effect on the NDEF file follows.
private struct TagExchange {
    private let isSuccess: Bool
    private let ins: UInt8
    private let offset: Int

    init(command: [UInt8], answer: [UInt8]) {
        isSuccess = answer.suffix(2) == [0x90, 0x00] && command.count > 4
        ins = command.count > 1 ? command[1] : 0
        offset = command.count > 3 ? Int(command[2]) << 8 | Int(command[3]) : 0
    }

    /// Whether this is a successful READ BINARY or UPDATE BINARY.
    var readsOrWrites: Bool { isSuccess && (ins == 0xB0 || ins == 0xD6) }

    /// Whether this is a successful UPDATE BINARY of NLEN, which is in the first two bytes.
    var writesLength: Bool { isSuccess && ins == 0xD6 && offset < 2 }
}
