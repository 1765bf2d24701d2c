// The result of `write --dry-run`, for people and in JSON — Docs/JSON.md

import Foundation
import Hexadecimal
import NDEF
import RecordPresentation
import SafeTag
import TagTypes
import Terminal

struct WriteForecast: Encodable, Sendable {
    private let reader: String
    private let uid: String
    private let chip: String
    private let capacity: Int
    /// The length of the present message in bytes.
    ///
    /// ``messageLength`` is the length of the new message.
    private let oldLength: Int
    private let messageLength: Int
    /// Whether the write would first initialise a blank tag, which may be permanent.
    private let initialises: Bool
    /// The number of bytes that other programs stored after the message.
    private let otherDataLength: Int
    /// The part of the card's free memory that the new NDEF file would occupy.
    private let taken: NDEFState.TakenMemory?
    private let protects: Bool
    /// The expected effect of the lock, or nil if the tag would not be locked.
    private let lock: LockForecast?
    private let message: NDEFMessage

    init(_ preview: WritePreview, _ message: NDEFMessage, length: Int, protects: Bool, lock: LockForecast?) {
        let before = preview.before
        (reader, uid, chip) = (before.reader, before.uid, before.name)
        capacity = before.state.capacity
        oldLength = before.state.messageLength ?? 0
        messageLength = length
        initialises = preview.needsInitialising
        otherDataLength = preview.otherDataCount
        taken = before.state.taken
        (self.protects, self.lock) = (protects, lock)
        self.message = message
    }

    private enum Key: CodingKey {
        case schema, event, reader, uid, chip, capacity, oldLength, messageLength, initialises, takes, freeMemory,
            otherDataLength, protects, locks, lock, records
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode("dryRun", forKey: .event)
        try container.encode(reader, forKey: .reader)
        try container.encode(uid, forKey: .uid)
        try container.encode(chip, forKey: .chip)
        try container.encode(capacity, forKey: .capacity)
        try container.encode(oldLength, forKey: .oldLength)
        try container.encode(messageLength, forKey: .messageLength)
        try container.encode(initialises, forKey: .initialises)
        if otherDataLength > 0 { try container.encode(otherDataLength, forKey: .otherDataLength) }
        try container.encodeIfPresent(taken?.file, forKey: .takes)
        try container.encodeIfPresent(taken?.free, forKey: .freeMemory)
        try container.encode(protects, forKey: .protects)
        try container.encode(lock != nil, forKey: .locks)
        try container.encodeIfPresent(lock?.word, forKey: .lock)
        try container.encode(message.recordReports, forKey: .records)
    }

    func print(_ output: OutputOptions) throws {
        if output.json { return try JSONLine.print(self, at: .now) }
        guard !output.quiet else { return }
        let name = "\(TerminalText.escaped(chip)) \(uid)"
        let steps = [
            initialises ? "The tag is blank; it would be initialised first." : nil,
            otherDataLength == 0
                ? nil
                : "\(ByteCount(otherDataLength)) after the message, which belong to another program, would be overwritten.",
            taken.map {
                "Its NDEF file would take \($0.file) of \($0.free) free bytes, and nfctool cannot free this memory again."
            },
            protects ? "The tag would require the password." : nil,
            lock?.sentence,
        ]
        let sentence =
            "Would write \(ByteCount(messageLength)) to \(name), which has room for \(ByteCount(capacity)) and holds \(ByteCount(oldLength)) now."
        let sentences = [sentence] + steps.compactMap(\.self) + ["Nothing was written."]
        let style = Style.standardOutput
        let lines = style.isTerminal ? sentences.flatMap { $0.wrapped(to: style.width) } : sentences
        let table = RecordTable(message.records, style: style)
        StandardOutput.print(lines.joined(separator: "\n") + "\n" + table.text)
    }
}

extension LockForecast {
    fileprivate var word: String {
        switch self {
        case .enforced: "enforced"
        case .onlyMark: "mark"
        case .untried: "untried"
        }
    }

    fileprivate var sentence: String {
        switch self {
        case .enforced: "The tag would be locked."
        case .onlyMark:
            "The tag would only be marked as read-only. This is not a lock: a tool that ignores the mark could still "
                + "write it."
        case .untried:
            "The tag would be locked if it allows this. Only a write can show that, so nfctool tries one before it writes "
                + "the message."
        }
    }
}
