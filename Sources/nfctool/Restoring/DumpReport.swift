// The result of `dump`, for people and in JSON — Docs/JSON.md

import SafeTag
import TagImage
import Terminal

struct DumpReport: Encodable {
    let reader: String
    let uid: String
    let name: String
    let file: String
    let format: TagImage.Format
    let image: TagImage
    /// Whether the dump may contain an intermediate state, because an earlier write or restore was interrupted.
    let isUnfinished: Bool

    private var unreadable: [Int] { image.blocks.filter { $0.bytes == nil }.map(\.number) }

    var text: String {
        let passing = unreadable.filter { image.kind.isChangedByChip($0) }
        let lost = unreadable.filter { !passing.contains($0) }
        let count = image.blocks.count
        let blocks = lost.isEmpty ? "\(count) blocks" : "\(count - lost.count) of \(count) blocks"
        let what = image.kind == .type4 ? "\(image.files.count) files" : blocks
        let verb = passing.count == 1 ? "was" : "were"
        let notes = [
            passing.isEmpty ? "" : "; \(BlockList(passing)), which the chip itself changes, \(verb) not read",
            lost.isEmpty ? "" : "; \(BlockList(lost)) could not be read",
        ]
        return TerminalText.escaped("Saved \(what) of \(name) \(uid) in \(file)\(notes.joined()).")
    }

    private enum Key: CodingKey {
        case schema, event, reader, uid, chip, file, format, blocks, unreadable, unfinished
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode("tag", forKey: .event)
        try container.encode(reader, forKey: .reader)
        try container.encode(uid, forKey: .uid)
        try container.encode(name, forKey: .chip)
        try container.encode(file, forKey: .file)
        try container.encode(format.rawValue, forKey: .format)
        try container.encode(image.blocks.count, forKey: .blocks)
        try container.encode(unreadable, forKey: .unreadable)
        if isUnfinished { try container.encode(true, forKey: .unfinished) }
    }
}

/// The tag does not show all of its memory, so the dump would be partial.
struct PartialDump: Failure, AdvisedError {
    private let kind: TagImage.Kind
    private let count: Int
    private let hidden: [Int]
    /// The numbers of the hidden blocks that cannot be read with any key of the card.
    private let closed: [Int]
    private let blockedSectors: [Int]

    init(of dump: TagDump) {
        kind = dump.image.kind
        count = dump.image.blocks.count
        (hidden, closed, blockedSectors) = (dump.hidden, dump.closed, dump.blocked)
    }

    private var isWholeClosed: Bool { closed == hidden }

    /// Whether the reader, not the tag, is the reason why blocks cannot be read.
    private var isOutOfReach: Bool { kind == .topaz96 || kind == .topaz512 }

    var name: ErrorName { isOutOfReach ? .wrongChip : .passwordNeeded }

    var message: String {
        let need =
            switch kind {
            case .classic where isWholeClosed: "with any key"
            case .type2: "without the password or key"
            case .classic: "with the keys that are known"
            case .feliCaLite, .type3: "without the card's key"
            case .type5: "without the tag's password"
            case .topaz96, .topaz512, .type4: "with this reader"
            }
        let refused = closed.filter { !blockedSectors.contains(TagImage.Kind.classicSector(of: $0)) }
        var reason = refused.isEmpty ? "" : " The access bits let no key read \(BlockList(refused))."
        if !blockedSectors.isEmpty { reason += " " + BlockedSectors(blockedSectors).words }
        let blocks = "\(hidden.count) of the tag's \(count) blocks cannot be read \(need): \(BlockList(hidden))."
        return "\(blocks)\(reason) Nothing was saved."
    }

    /// Advice for the user in up to three lines, or nil if there is none.
    var advice: String? {
        if kind.isClassic, !isWholeClosed {
            return """
                Give the card's keys:  --key-file FILE  (a list of keys, or a dump of the card that has them)
                Save what can be read without them, with unknown blocks marked:  --partial
                """
        }
        guard case .type2 = kind else {
            return "Save what can be read\(kind.isClassic ? ", with unknown blocks marked" : ""):  --partial"
        }
        return """
            Give the file with the password:  --password-file FILE
            Save what can be read without it:  --partial
            """
    }
}
