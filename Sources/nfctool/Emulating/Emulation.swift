// The tag behind `emulate`: what it is asked, what it answers, and what of that is told — Docs/CommandLine.md, emulate

import Foundation
import NDEF
import TagTypes

/// A tag that other readers use, one after the other.
struct Emulation: Sendable {
    private var tag: EmulatedType4Tag
    private let count: Int?
    private let log: EmulationLog
    /// How many have read or written it.
    private var served = 0
    /// The reader of now has sent a command: one that only looked what is there is no event.
    private var isInUse = false
    private var isServed = false
    /// The message that was told last.
    private var told: [UInt8]?

    /// - Parameter count: how many readers it is for; nil for any number.
    init(_ tag: EmulatedType4Tag, count: Int?, log: EmulationLog) {
        self.tag = tag
        self.count = count
        self.log = log
        told = tag.message
    }

    /// Begins to be a tag on a reader.
    func started(on reader: String) throws {
        try log.started(on: reader, message: tag.message ?? [], isWritable: tag.isWritable)
    }

    /// Another reader has activated it.
    mutating func activated() {
        tag.reset()
        (isInUse, isServed) = (false, false)
    }

    /// Carries out one command.
    mutating func answer(to command: [UInt8]) throws -> [UInt8] {
        if !isInUse { try log.readerCame() }
        isInUse = true
        let answer = tag.response(to: command)
        try log.exchanged(command, answer)
        let exchange = TagExchange(command: command, answer: answer)
        if exchange.readsOrWrites, tag.isNDEFFileSelected { isServed = true }
        // The length is written last.
        if exchange.writesLength, tag.isNDEFFileSelected, let message = tag.message, !message.isEmpty {
            try tell(message)
        }
        return answer
    }

    /// The reader has left.
    ///
    /// - Returns: whether it was the last one.
    mutating func deselected() throws -> Bool {
        defer { (isInUse, isServed) = (false, false) }
        guard isInUse else { return false }
        if tag.message != told { try tell(tag.message) }
        try log.readerLeft()
        if isServed { served += 1 }
        return served == count
    }

    private mutating func tell(_ message: [UInt8]?) throws {
        told = message
        try log.written(message)
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
