// The part of the old content that can still be restored after an interrupted restore, and what is permanent

import Foundation
import TagImage
import TagTypes
package import WriteJournal

/// The part of a tag's content from before an interrupted restore that can still be restored.
public enum WayBack: Hashable, Sendable {
    /// Everything, unless these bits have been set. It is not known whether they have been, for example because the tag
    /// is not on the reader.
    case whole(unless: [String])
    /// Everything except these bits, if the restore uses the same options.
    case exceptBits([String])
    /// Only the data. The configuration, which includes these bits, stays as it is.
    case data(without: [String])
    /// Nothing that nfctool could write, because of these bits.
    case none(because: [String])
}

extension PendingRestore {
    /// The part that can be restored, as far as this is known without the tag.
    package var presumedWayBack: WayBack { .whole(unless: record?.permanent?.map(\.name) ?? []) }

    /// Adds the keys that may open a partly restored MIFARE Classic: its old keys and its new ones.
    func addKeys(to ring: ClassicKeyRing) {
        let files = [old] + (record?.dump.map { [URL(filePath: $0)] } ?? [])
        for image in files.compactMap({ Self.image(in: $0) }) where image.kind.isClassic {
            for key in image.keys.values.flatMap({ [$0.a, $0.b] }) {
                if let key { ring.add(key, from: .card) }
            }
        }
    }

    /// Returns the image in a file, or nil if the file cannot be read or does not contain an image.
    static func image(in file: URL) -> TagImage? {
        // Reading a pipe could block forever.
        guard LastingFile.isAt(file.path), let bytes = try? Data(contentsOf: file) else { return nil }
        return try? TagImage([UInt8](bytes), format: TagImage.Format(contents: [UInt8](bytes)))
    }

    /// Returns the part of this tag's old content that can be restored, by planning that restore.
    ///
    /// - Parameters:
    ///   - present: the current content of the tag.
    ///   - memory: the memory of the tag with its locks.
    ///   - credential: the password or key that opens the tag, or nil if none does.
    /// - Returns: the part that can be restored. This is ``WayBack/whole(unless:)`` if it cannot be determined.
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
    /// The names of the parts in the records of restores.
    ///
    /// The names are options of `nfctool restore`.
    private static let names: [(option: String, part: Self)] = [
        ("--uid-block", .uid), ("--lock-bits", .lockBits), ("--otp", .otp), (configurationOption, .configuration),
    ]
    package static let configurationOption = "--configuration"

    init(options: [String]) {
        self = Self.names.reduce(into: []) { if options.contains($1.option) { $0.insert($1.part) } }
    }

    /// The names of these parts in records of restores.
    package var options: [String] { Self.names.filter { contains($0.part) }.map(\.option) }
}
