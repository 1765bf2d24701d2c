// What can still come back of a tag whose restore was interrupted, and what is permanent

import Foundation
import TagImage
import TagTypes
package import WriteJournal

/// What can still come back of what a tag held before a restore that was interrupted.
public enum WayBack: Hashable, Sendable {
    /// All of it, unless these bits were set in the meantime: the tag is not on the reader.
    case whole(unless: [String])
    /// All but these bits, with the same options.
    case exceptBits([String])
    /// Only the data: the configuration, with these bits, stays as it is.
    case data(without: [String])
    /// Nothing that this tool can write, because of these bits.
    case none(because: [String])
}

extension PendingRestore {
    /// What can come back, as far as that is known without the tag.
    package var presumedWayBack: WayBack { .whole(unless: record?.permanent?.map(\.name) ?? []) }

    /// The keys that open a MIFARE Classic halfway: those it had, and those it was to get.
    func addKeys(to ring: ClassicKeyRing) {
        let files = [old] + (record?.dump.map { [URL(filePath: $0)] } ?? [])
        for image in files.compactMap({ Self.image(in: $0) }) where image.kind.isClassic {
            for key in image.keys.values.flatMap({ [$0.a, $0.b] }) {
                if let key { ring.add(key, from: .card) }
            }
        }
    }

    /// The image that a file holds; nil when it cannot be read, or is none.
    private static func image(in file: URL) -> TagImage? {
        guard let bytes = try? Data(contentsOf: file) else { return nil }
        return try? TagImage([UInt8](bytes), format: TagImage.Format(contents: [UInt8](bytes)))
    }

    /// What can come back of this tag's old content, found out by planning the restore that would bring it back.
    ///
    /// - Parameters:
    ///   - present: what the tag holds.
    ///   - memory: the same, with what is locked.
    ///   - credential: what opens the tag; nil where nothing does.
    /// - Returns: how much can come back; ``WayBack/whole(unless:)`` also where that cannot be found out.
    func wayBack(to present: TagImage, _ memory: MemoryMap, openedBy credential: Type2Credential?) -> WayBack {
        guard let record else { return .whole(unless: []) }
        let bits = record.permanentlySet(in: present.comparedBlocks).map(\.name)
        guard !bits.isEmpty, let before = Self.image(in: old) else { return .whole(unless: bits) }
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
    /// The words for parts in records of restores, which are those of `nfctool restore`.
    private static let names: [(option: String, part: Self)] = [
        ("--uid-block", .uid), ("--lock-bits", .lockBits), ("--otp", .otp), (configurationOption, .configuration),
    ]
    package static let configurationOption = "--configuration"

    /// The parts that these words name.
    init(options: [String]) {
        self = Self.names.reduce(into: []) { if options.contains($1.option) { $0.insert($1.part) } }
    }

    /// The words for these parts in records of restores.
    package var options: [String] { Self.names.filter { contains($0.part) }.map(\.option) }
}
