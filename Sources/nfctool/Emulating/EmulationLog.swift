// The events of an emulation, as lines for people and JSON Lines for scripts — Docs/JSON.md, Emulate

import DurableFiles
import Foundation
import Hexadecimal
import NDEF
import ReaderSession
import RecordPresentation
import TagTypes
import Terminal

struct EmulationLog: Sendable {
    private let options: OutputOptions
    private let uid: String
    private let file: ResultFile?

    init(_ options: OutputOptions, uid: String, file: ResultFile?) {
        (self.options, self.uid, self.file) = (options, uid, file)
    }

    func tell(_ event: EmulationRun.Event) throws {
        switch event {
        case .started(let reader, let tag): try started(on: reader, message: tag.message, isWritable: tag.isWritable)
        case .card(.readerCame): try tell(PlainEvent(event: "reader", uid: uid), "a reader connected")
        case .card(.exchanged(let command, let answer)): try exchanged(command, answer)
        case .card(.written(let message)): try written(message)
        case .card(.readerLeft): try tell(PlainEvent(event: "removed", uid: uid), "the reader left")
        }
    }

    private func started(on reader: String, message: [UInt8], isWritable: Bool) throws {
        let event = MessageEvent(event: "started", reader: reader, uid: uid, isWritable: isWritable, message)
        let access = isWritable ? "writable" : "read-only"
        try tell(event, "Type 4 Tag, \(access)  \(event.summary)", as: .arrived)
    }

    /// Reports a command and its answer in JSON.
    ///
    /// In text, `--trace` shows them.
    private func exchanged(_ command: [UInt8], _ answer: [UInt8]) throws {
        guard options.json else { return }
        try JSONLine.print(CommandEvent(uid: uid, command: command.hex, answer: answer.hex), at: .now)
    }

    /// Saves a new message in the file, if there is one, and reports the message.
    ///
    /// `message` is nil if the stored length exceeds the size of the NDEF file.
    private func written(_ message: [UInt8]?) throws {
        let event = MessageEvent(event: "written", uid: uid, message)
        let change = "A reader wrote \(ByteCount(message?.count ?? 0)) to the emulated tag."
        if let message, let file {
            do {
                try file.write(message)
            } catch let failure as UnwritableFile {
                throw UnwritableFile(path: failure.path, reason: failure.reason, change: change)
            }
        }
        try tell(event, "written: \(event.summary)", as: .arrived, after: change, isResult: true)
    }

    /// Prints an event.
    ///
    /// With `--quiet`, prints only results.
    private func tell(
        _ event: some Encodable & Sendable, _ text: String, as kind: EventLine.Event? = nil,
        after change: String? = nil,
        isResult: Bool = false
    ) throws {
        if options.json {
            try JSONLine.print(event, at: .now, after: change)
        } else if isResult || !options.quiet {
            let facts = kind == nil ? "" : text
            let line = EventLine(style: .standardOutput).line(kind ?? .other(text), uid: uid, facts, at: .now)
            StandardOutput.print(line, after: change)
        }
    }
}

private struct PlainEvent: Encodable {
    let schema = 1
    let event: String
    let uid: String
}

private struct CommandEvent: Encodable {
    let schema = 1
    let event = "apdu"
    let uid: String
    let command: String
    let answer: String
}

/// An event with the content of the tag at the time of the event.
private struct MessageEvent: Encodable, Sendable {
    private let event: String
    private let reader: String?
    private let uid: String
    private let isWritable: Bool?
    /// The message, or nil if its length exceeds the size of the NDEF file.
    private let bytes: [UInt8]?
    private let records: [NDEFRecord]
    private let problem: String?

    init(event: String, reader: String? = nil, uid: String, isWritable: Bool? = nil, _ bytes: [UInt8]?) {
        (self.event, self.reader, self.uid, self.isWritable, self.bytes) = (event, reader, uid, isWritable, bytes)
        guard let bytes else {
            (records, problem) = ([], "The length that was written is greater than the size of the NDEF file.")
            return
        }
        guard !bytes.isEmpty else {
            (records, problem) = ([], nil)
            return
        }
        do throws(NDEFError) {
            (records, problem) = (try NDEFMessage(bytes: bytes).records, nil)
        } catch {
            (records, problem) = ([], "The NDEF message is broken: \(error)")
        }
    }

    var summary: String {
        if let problem { return TerminalText.escaped(problem) }
        let texts = RecordSummary.all(records).map { "\($0.kind): \($0.value)" }
        return texts.isEmpty ? "empty" : texts.joined(separator: "  ")
    }

    private enum Key: CodingKey { case schema, event, reader, uid, writable, messageLength, sha256, records, message }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode(event, forKey: .event)
        try container.encodeIfPresent(reader, forKey: .reader)
        try container.encode(uid, forKey: .uid)
        try container.encodeIfPresent(isWritable, forKey: .writable)
        try container.encode(bytes?.count ?? 0, forKey: .messageLength)
        try container.encodeIfPresent(bytes?.sha256, forKey: .sha256)
        try container.encode(NDEFMessage(records: records).recordReports, forKey: .records)
        try container.encodeIfPresent(problem, forKey: .message)
    }
}
