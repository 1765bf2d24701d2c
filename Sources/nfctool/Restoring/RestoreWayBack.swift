// What can still come back of a tag whose restore was interrupted, and what is permanent

import Foundation
import SafeTag
import TagImage
import TagTypes
import WriteJournal

/// What can still come back of what a tag held before a restore that was interrupted.
enum WayBack: Hashable, Sendable {
    /// All of it, unless these bits were set in the meantime: the tag is not at hand.
    case whole(unless: [String])
    /// All but these bits, with the same options.
    case exceptBits([String])
    /// Only the data: the configuration, with these bits, stays as it is.
    case data(without: [String])
    /// Nothing that this tool can write, because of these bits.
    case none(because: [String])

    /// What the command does that brings the old content back.
    var clause: String {
        switch self {
        case .whole(let bits):
            "brings the old content back\(Self.exception(bits))"
        case .exceptBits(let bits):
            "brings the old content back, but for bits that are permanent now: \(Self.words(bits))"
        case .data(let bits):
            "brings the old data back, not the configuration, of which these bits are permanent now: \(Self.words(bits))"
        case .none(let bits):
            "nfctool cannot bring the old content back: \(Self.words(bits)) are permanent now"
        }
    }

    /// What may not come back, while the tag is not at hand; empty for nothing.
    static func exception(_ bits: [String]) -> String {
        bits.isEmpty ? "" : ", unless these bits were set permanently: \(words(bits)); nfctool read tells"
    }

    /// The names of bits, those of sectors in one: `access bits of sectors 0, 1`.
    private static func words(_ names: [String]) -> String {
        let prefix = OneTimeChange.accessBitsName
        let sectors = names.filter { $0.hasPrefix(prefix) }.compactMap { Int($0.dropFirst(prefix.count)) }.sorted()
        let others = names.filter { !$0.hasPrefix(prefix) }
        guard sectors.count > 1 else { return names.joined(separator: ", ") }
        let all = "\(prefix.dropLast())s \(sectors.map { "\($0)" }.joined(separator: ", "))"
        return (others + [all]).joined(separator: ", ")
    }
}

/// A restore that left a tag with a part of a dump.
struct HalfRestore: Sendable {
    let pending: PendingRestore
    let wayBack: WayBack
    var uid: [UInt8] { pending.uid }
}

extension PendingRestore {
    /// What can come back, as far as that is known without the tag.
    var presumedWayBack: WayBack { .whole(unless: record?.permanent?.map(\.name) ?? []) }

    /// What can come back of this tag's old content, found out by planning the restore that would bring it back.
    ///
    /// - Parameters:
    ///   - present: what the tag holds.
    ///   - memory: the same, with what is locked.
    func wayBack(to present: TagImage, _ memory: MemoryMap, openedBy credential: Type2Credential?) -> WayBack {
        guard let record else { return .whole(unless: []) }
        let bits = record.permanentlySet(in: present.comparedBlocks).map(\.name)
        guard !bits.isEmpty, let before = try? DumpFile(path: old.path).read() else { return .whole(unless: bits) }
        func isPossible(_ parts: RestorePlan.Parts) -> Bool {
            (try? RestorePlan(before, to: memory, parts: parts, openedBy: credential, isOwn: true)) != nil
        }
        let parts = RestorePlan.Parts(options: record.options)
        if isPossible(parts) { return .exceptBits(bits) }
        return parts.contains(.configuration) && isPossible(parts.subtracting(.configuration))
            ? .data(without: bits) : .none(because: bits)
    }
}

extension RestorePlan.Parts {
    /// The options of `restore` that name parts.
    private static let names: [(option: String, part: Self)] = [
        ("--uid-block", .uid), ("--lock-bits", .lockBits), ("--otp", .otp), (configurationOption, .configuration),
    ]
    static let configurationOption = "--configuration"

    /// The parts that options of `restore` name.
    init(options: [String]) {
        self = Self.names.reduce(into: []) { if options.contains($1.option) { $0.insert($1.part) } }
    }

    /// The options of `restore` that name these parts.
    var options: [String] { Self.names.filter { contains($0.part) }.map(\.option) }
}
