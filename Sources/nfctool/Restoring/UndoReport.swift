// The writes that can be undone, and the result of `undo`, for people and in JSON — Docs/JSON.md

import Foundation
import Hexadecimal
import NDEF
import RecordPresentation
import SafeTag
import TagTypes
import Terminal
import WriteJournal

/// The writes whose old messages are kept on this computer so that they can be undone.
struct KeptWrites {
    private let uid: [UInt8]?
    private let journals = Journals.ofThisUser
    private var done: DoneWrites { journals.done }

    /// - Parameter uid: the UID of the tag whose writes are included, or nil for all tags.
    init(of uid: [UInt8]?) { self.uid = uid }

    /// Returns whether no write is kept that can be undone or, with `redone`, redone.
    func isEmpty(redone: Bool) throws -> Bool {
        try redone ? !journals.mayRedo(uid) : done.writes(of: uid).isEmpty
    }

    func show(_ output: OutputOptions) throws {
        let writes = try done.writes(of: uid)
        let undone = try journals.undone.writes(of: uid)
        for (write, isUndone) in undone.map({ ($0, true) }) + writes.map({ ($0, false) }) {
            if output.json {
                try JSONLine.print(KeptWriteReport(write, isUndone: isUndone))
            } else {
                StandardOutput.printRows((isUndone ? "undone  " : "") + Self.line(write.entry, ended: write.ended))
            }
        }
        let unread = try count - writes.count - undone.count
        if unread > 0 {
            Hint(output).tell(
                "\(unread == 1 ? "1 more write cannot" : "\(unread) more writes cannot") be read by this version of nfctool."
            )
        } else if writes.isEmpty, undone.isEmpty, !output.json, !output.quiet {
            StandardOutput.printSentences(UndoReport.none(of: uid))
        }
    }

    private var count: Int { get throws { try done.count(of: uid) + journals.undone.count(of: uid) } }

    /// Returns a write as text: the tag, the local time of the verification, and the beginnings of the messages.
    static func line(_ entry: JournalEntry, ended: Date, in zone: TimeZone = .current) -> String {
        let time = ended.formatted(Date.ISO8601FormatStyle(dateTimeSeparator: .space, timeZone: zone))
        let messages = [("old", entry.oldMessage), ("new", entry.plan.newMessage)].map { name, message in
            (message.isEmpty ? "\(name) empty" : "\(name) \(ByteCount(message.count))")
                + (RecordSummary.excerpt(of: message).map { " (\($0))" } ?? "")
        }
        let words = [entry.uid.hex, time, TerminalText.escaped(entry.tagName), messages.joined(separator: ", ")]
        return words.joined(separator: "  ")
    }

    /// Prints how to undo an interrupted write, which is not one of the verified writes.
    func tellOfInterrupted(_ hint: Hint) {
        let entries = (try? Journals.ofThisUser.writes.entries().entries) ?? []
        guard let entry = entries.first(where: { uid == nil || $0.uid == uid }) else { return }
        hint.tell(
            "A write to tag \(entry.uid.hex) was interrupted. Bring its old message back:  nfctool recover --rollback")
    }

    /// Deletes the kept messages if the user agrees.
    func forget(_ output: OutputOptions) throws {
        let count = try count
        if count > 0 {
            try Confirmation(output).ask(
                "Delete the kept messages of these tags?",
                facts:
                    "\(count == 1 ? "1 write is kept. Once deleted, it" : "\(count) writes are kept. Once deleted, they") cannot be undone or redone."
            )
        }
        let deleted = try journals.forgetMessages(of: uid)
        if output.json {
            try JSONLine.print(ForgottenReport(forgotten: deleted), at: .now)
        } else if !output.quiet {
            StandardOutput.printSentences(
                deleted == 0
                    ? UndoReport.none(of: uid)
                    : "Deleted the kept messages of \(deleted == 1 ? "1 write" : "\(deleted) writes").")
        }
    }
}

/// The result of `undo` in JSON: the content of the tag as after a write, and whether there was anything to undo.
struct UndoReport: Encodable, Sendable {
    private let reading: TagReading?
    private let uid: [UInt8]?
    private let isRedo: Bool
    private let wasThere: Bool
    private let isLeftKept: Bool

    init(
        _ reading: TagReading?, uid: [UInt8]?, isRedo: Bool, wasThere: Bool = false, isLeftKept: Bool = false
    ) {
        (self.reading, self.uid, self.isRedo) = (reading, uid, isRedo)
        (self.wasThere, self.isLeftKept) = (wasThere, isLeftKept)
    }

    /// Returns a sentence that says that there is nothing to undo or redo.
    static func none(of uid: [UInt8]?, isRedo: Bool = false) -> String {
        let tag = uid.map { " to tag \($0.hex)" } ?? ""
        return isRedo
            ? "Nothing to redo: no undone write\(tag) from the last 30 days is kept."
            : "Nothing to undo: no write\(tag) from the last 30 days is kept."
    }

    func print(_ output: OutputOptions) throws {
        if output.json {
            try JSONLine.print(self, at: .now)
        } else if let reading {
            TagPresentation(reading, style: .standardOutput).print(
                [outcome], isQuiet: output.quiet)
        } else if !output.quiet {
            StandardOutput.printSentences(Self.none(of: uid, isRedo: isRedo))
        }
    }

    private var outcome: ChangeOutcome {
        if isRedo { return wasThere ? .wasRedone : .redone }
        return wasThere ? .wasUndone(isLeftKept: isLeftKept) : .undone
    }

    private enum Key: CodingKey {
        case schema, undone, redone
    }

    func encode(to encoder: any Encoder) throws {
        try reading?.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode(reading != nil, forKey: isRedo ? .redone : .undone)
    }
}

private struct KeptWriteReport: Encodable {
    let schema = 1
    let event = "kept"
    let uid: String
    let chip: String
    let ended: String
    let oldMessage: String
    let newMessage: String
    /// True for a write that was undone, and else nil.
    let undone: Bool?

    init(_ write: DoneWrites.Write, isUndone: Bool) {
        undone = isUndone ? true : nil
        uid = write.entry.uid.hex
        chip = write.entry.tagName
        ended = write.ended.formatted(.iso8601)
        oldMessage = write.entry.oldMessage.hex
        newMessage = write.entry.plan.newMessage.hex
    }
}

private struct ForgottenReport: Encodable {
    let schema = 1
    let event = "forgotten"
    let forgotten: Int
}
