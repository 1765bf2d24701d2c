// What is at a virtual PC/SC reader, in words — Docs/VirtualReader.md

import Glibc
package import VirtualPN532

/// Tags and faults of a virtual PC/SC reader: `TAGS[?OPTION[=VALUE]&…]`, as `VirtualReaderSpec` has them.
///
/// In addition, `TAGS` may name the chips of ``ISO15693Chip/all``; `CHIP-ndef` is one with an empty message. Such a tag
/// is delivered blank; files with one are read, and made with the option `kind`.
package struct VirtualPCSCSpec: Sendable {
    /// The tags, in their order.
    package private(set) var tags: [any VirtualContactlessCard] = []
    private var files: [TagFile] = []
    private var faults = PCSCFaults()
    private var latency = Latency.none

    private static let formatted = "-ndef"
    private static let fileSuffix = ".nfc"
    private static let kindOption = "kind="

    /// The names of all tags.
    package static var kinds: [String] {
        VirtualTagKind.allCases.map(\.rawValue)
            + ISO15693Chip.all.flatMap { [$0.id, $0.id + formatted] }
    }

    /// Parses a description; reads the tag files it names, and makes those that are missing.
    /// - Throws: `VirtualReaderError`, naming the word that was wrong.
    package init(parsing text: String) throws(VirtualReaderError) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let options = parts.count == 2 ? parts[1].split(whereSeparator: { $0 == "&" || $0 == "," }) : []
        let newChip = options.first { $0.hasPrefix(Self.kindOption) }
            .flatMap { Self.chip(String($0.dropFirst(Self.kindOption.count))) }
        var serial: UInt16 = 0
        var others: [Substring] = []
        for word in parts[0].split(separator: ",") {
            let count = word.split(separator: "*", maxSplits: 1)
            if let (chip, isFormatted) = Self.chip(String(count[0])) {
                let number = count.count == 2 ? UInt16(count[1]) ?? 0 : 1
                guard number > 0 else {
                    throw .badValue(option: "\(chip.id)*COUNT", value: String(word), expected: "a number from 1")
                }
                for _ in 0..<number {
                    serial += 1
                    tags.append(VirtualISO15693Tag(chip: chip, serial: serial, isFormatted: isFormatted))
                }
            } else if word.hasSuffix(Self.fileSuffix), newChip != nil || access(String(word), F_OK) == 0 {
                let (chip, isFormatted) = newChip ?? (.icodeSLIX2, false)
                let serial = UInt16.random(in: .min ... .max)
                let file = try TagFile(
                    path: String(word),
                    newTag: VirtualISO15693Tag(chip: chip, serial: serial, isFormatted: isFormatted))
                files.append(file)
                tags.append(file.tag)
            } else {
                others.append(word)
            }
        }
        let rest = options.filter { newChip == nil || !$0.hasPrefix(Self.kindOption) }.joined(separator: "&")
        do throws(VirtualReaderError) {
            let spec = try VirtualReaderSpec(parsing: others.joined(separator: ",") + (rest.isEmpty ? "" : "?\(rest)"))
            (faults.tag, latency) = (spec.faults, spec.latency)
            guard !others.isEmpty || tags.isEmpty else { return }
            tags += spec.tags
            files += spec.files
        } catch .notAKind(let word, _) {
            throw .notAKind(word, known: Self.kinds)
        }
    }

    private static func chip(_ word: String) -> (ISO15693Chip, isFormatted: Bool)? {
        if let chip = ISO15693Chip(id: word) { return (chip, false) }
        guard word.hasSuffix(formatted) else { return nil }
        return ISO15693Chip(id: String(word.dropLast(formatted.count))).map { ($0, true) }
    }

    /// A reader with these tags, which is not plugged in yet.
    /// - Throws: `VirtualReaderError.fileInUse`, `VirtualReaderError.fileInaccessible`.
    package func makeReader(
        model: PCSCReaderModel, name: String? = nil
    ) throws(VirtualReaderError) -> VirtualPCSCReader {
        let reader = VirtualPCSCReader(model: model, name: name, tags: tags, latency: latency)
        try reader.keep(files)
        reader.faults = faults
        return reader
    }
}
