// The result of `restore`, for people and in JSON — Docs/JSON.md

import Hexadecimal
import SafeTag
import Terminal

struct RestoreReport: Encodable {
    /// The numbers of blocks, or the identifiers of files on a Type 4 Tag.
    enum Places: Encodable, CustomStringConvertible {
        case blocks([Int])
        case files([UInt16])

        private var names: [String] {
            switch self {
            case .blocks(let numbers): numbers.map { "\($0)" }
            case .files(let files): files.map(\.hex)
            }
        }

        var isEmpty: Bool { names.isEmpty }
        var isOne: Bool { names.count == 1 }

        var description: String {
            switch self {
            case .blocks(let numbers): "\(BlockList(numbers))"
            case .files: "file \(names.joined(separator: ", "))"
            }
        }

        func encode(to encoder: any Encoder) throws {
            if case .blocks(let numbers) = self { return try numbers.encode(to: encoder) }
            try names.encode(to: encoder)
        }
    }

    let schema = 1
    let event = "tag"
    let reader: String
    let uid: String
    let chip: String
    let file: String
    let written: Places
    let kept: Places
    /// The numbers of the blocks that the dump does not contain.
    let missing: [Int]
    let blockCount: Int
    /// Further remarks about the restore, as clauses.
    let remark: String
    /// Whether a test showed that the locked blocks refuse writes.
    ///
    /// Nil if nothing was locked.
    let lockVerified: Bool?
    /// The options that would also restore some of ``kept``.
    private let options: [String]

    init(_ result: Restore.Result, reader: String, uid: String, chip: String, file: String) {
        (self.reader, self.uid, self.chip, self.file) = (reader, uid, chip, file)
        switch result {
        case .blocks(let plan, let locks, let count):
            written = .blocks(plan.writes.map(\.number).sorted())
            kept = .blocks(plan.kept)
            missing = plan.missing
            blockCount = count
            remark = plan.mirror.remark + (locks?.remark ?? "")
            lockVerified = locks?.isProven
            options = plan.keptParts.options
        case .files(let files, let others):
            written = .files(files)
            kept = .files(others)
            (missing, blockCount, remark, lockVerified, options) = ([], 0, "", nil, [])
        }
    }

    /// Whether the tag is known to hold the whole dump.
    ///
    /// False if blocks are missing from the dump.
    var verified: Bool { missing.isEmpty }

    var text: String {
        let proof = written.isOne ? "read back and compared" : "each read back and compared"
        let done =
            written.isEmpty
            ? "\(chip) \(uid) already holds \(missing.isEmpty ? "the dump" : "the known blocks of the dump")"
            : "Restored \(written) of \(chip) \(uid), \(proof)"
        let (differ, stay) = kept.isOne ? ("differs", "stays as it is") : ("differ", "stay as they are")
        let more =
            options.isEmpty ? "" : " (to restore \(kept.isOne ? "it" : "them"), add \(options.joined(separator: " ")))"
        let rest = kept.isEmpty ? "" : "; \(kept) \(differ) from the dump and \(stay)\(more)"
        let unknown =
            missing.isEmpty
            ? ""
            : "; the dump is partial: \(missing.count) of \(blockCount) blocks are not in it (\(BlockList(missing)))"
        return TerminalText.escaped(done + rest + unknown + remark + ".")
    }

    private enum Key: CodingKey {
        case schema, event, reader, uid, chip, file, written, kept, missing, verified, lockVerified
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(schema, forKey: .schema)
        try container.encode(event, forKey: .event)
        try container.encode(reader, forKey: .reader)
        try container.encode(uid, forKey: .uid)
        try container.encode(chip, forKey: .chip)
        try container.encode(file, forKey: .file)
        try container.encode(written, forKey: .written)
        try container.encode(kept, forKey: .kept)
        try container.encode(missing, forKey: .missing)
        try container.encode(verified, forKey: .verified)
        try container.encodeIfPresent(lockVerified, forKey: .lockVerified)
    }
}
