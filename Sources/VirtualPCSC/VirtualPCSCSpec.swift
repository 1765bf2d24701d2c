// A textual description of the tags and faults of a virtual PC/SC reader — Docs/VirtualReader.md

import Glibc
package import VirtualPN532

/// The tags and faults of a virtual PC/SC reader: `TAGS[?OPTION[=VALUE]&…]`, in the syntax of `VirtualReaderSpec`.
///
/// In addition, `TAGS` may contain the chips in ``ISO15693Chip/all``. A tag with such a chip is in delivery state and
/// blank; a `CHIP-ndef` contains an empty message. Files with such tags are read. A missing file is created as such a
/// tag if the option `kind` names one of the chips.
package struct VirtualPCSCSpec: Sendable {
    package private(set) var tags: [any VirtualContactlessCard] = []
    private var files: [TagFile] = []
    private(set) var faults = PCSCFaults()
    /// The part of the description that is not specific to ISO 15693.
    private let general: VirtualReaderSpec

    private static let formatted = "-ndef"

    package static var kinds: [String] {
        VirtualTagKind.allCases.map(\.rawValue)
            + ISO15693Chip.all.flatMap { [$0.id, $0.id + formatted] }
    }

    /// Parses a description, reads the tag files in it, and creates the missing ones.
    /// - Throws: `VirtualReaderError`, which names the invalid word.
    package init(parsing text: String) throws(VirtualReaderError) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var options = parts.count == 2 ? parts[1].split(whereSeparator: { $0 == "&" || $0 == "," }) : []
        let given = options
        func value(of name: String) -> String? {
            given.first { $0.hasPrefix("\(name)=") }.map { String($0.dropFirst(name.utf8.count + 1)) }
        }
        let kind = value(of: "kind")
        let newChip = kind.flatMap(Self.chip)
        var serial = value(of: "serial").flatMap { UInt16($0) } ?? 1
        try faults.setPull(value(of: "pull"))
        var others: [Substring] = []
        for word in parts[0].split(separator: ",") {
            if let (chip, isFormatted, count) = try Self.chips(word) {
                for _ in 0..<count {
                    tags.append(VirtualISO15693Tag(chip: chip, serial: serial, isFormatted: isFormatted))
                    serial &+= 1
                }
            } else if TagFile.isName(String(word)),
                newChip != nil || kind == nil && access(String(word), F_OK) == 0
            {
                let (chip, isFormatted) = newChip ?? (.icodeSLIX2, false)
                let tag = VirtualISO15693Tag(chip: chip, serial: .random(in: .min ... .max), isFormatted: isFormatted)
                let file = try TagFile(path: String(word), newTag: tag)
                files.append(file)
                tags.append(file.tag)
            } else {
                others.append(word)
            }
        }
        let needsNoSerial = others.isEmpty && !tags.isEmpty
        options.removeAll { option in
            option.hasPrefix("pull=") || newChip != nil && option.hasPrefix("kind=")
                || needsNoSerial && option.hasPrefix("serial=")
        }
        let rest = options.isEmpty ? "" : "?" + options.joined(separator: "&")
        let general: VirtualReaderSpec
        do throws(VirtualReaderError) {
            general = try VirtualReaderSpec(parsing: others.joined(separator: ",") + rest)
        } catch .notAKind(let word, _) {
            throw .notAKind(word, known: Self.kinds)
        }
        self.general = general
        faults.tag = general.faults
        faults.hang = general.faults.hang.map { max($0, 1) }
        guard !others.isEmpty || tags.isEmpty else { return }
        tags += general.tags
        files += general.files
    }

    /// Whether a description contains an ISO 15693 tag, which a virtual PN532 cannot have in its field.
    package static func namesVicinityTag(_ text: String) -> Bool {
        let parts = text.split(separator: "?", maxSplits: 1)
        let words = parts.first?.split(separator: ",") ?? []
        let options = parts.dropFirst().first?.split { $0 == "&" || $0 == "," } ?? []
        return words.contains { (try? chips($0)) != nil || isVicinityFile(String($0)) }
            || options.contains { $0.hasPrefix("kind=") && chip(String($0.dropFirst(5))) != nil }
    }

    private static func isVicinityFile(_ path: String) -> Bool {
        guard TagFile.isName(path), let text = TagFile.flipperText(at: path)?.prefix(512) else { return false }
        return text.contains("Device type: ISO15693") || text.contains("Device type: SLIX")
    }

    private static func chip(_ word: String) -> (ISO15693Chip, isFormatted: Bool)? {
        if let chip = ISO15693Chip(id: word) { return (chip, false) }
        guard word.hasSuffix(formatted) else { return nil }
        return ISO15693Chip(id: String(word.dropLast(formatted.count))).map { ($0, true) }
    }

    /// Parses `CHIP[*COUNT]`, or returns nil if the word does not name a chip.
    private static func chips(
        _ word: Substring
    ) throws(VirtualReaderError) -> (ISO15693Chip, isFormatted: Bool, count: Int)? {
        let parts = word.split(separator: "*", maxSplits: 1)
        guard let name = parts.first, let (chip, isFormatted) = chip(String(name)) else { return nil }
        guard parts.count == 2 else { return (chip, isFormatted, 1) }
        guard let count = UInt16(parts[1]), count > 0 else {
            throw .badValue(option: "\(chip.id)*COUNT", value: String(parts[1]), expected: "a number from 1 to 65535")
        }
        return (chip, isFormatted, Int(count))
    }

    /// Creates a reader with these tags and faults.
    ///
    /// The reader is not plugged in.
    /// - Throws: `VirtualReaderError.fileInUse`, `VirtualReaderError.fileInaccessible`.
    package func makeReader(
        model: PCSCReaderModel, name: String? = nil
    ) throws(VirtualReaderError) -> VirtualPCSCReader {
        let reader = VirtualPCSCReader(
            model: model, name: name, field: general.makeField(of: tags), latency: general.latency)
        try reader.keep(files)
        reader.faults = faults
        return reader
    }

    /// Places these tags on an existing reader, whose faults do not change.
    /// - Throws: `VirtualReaderError.fileInUse`, `VirtualReaderError.fileInaccessible`.
    func place(on reader: VirtualPCSCReader) throws(VirtualReaderError) {
        try reader.keep(files)
        for tag in tags { reader.place(tag) }
    }
}

extension PCSCFaults {
    /// Parses `N[:REPORT]`, which removes the card during the Nth SCardTransmit.
    fileprivate mutating func setPull(_ text: String?) throws(VirtualReaderError) {
        guard let text else { return }
        let parts = text.split(separator: ":", maxSplits: 1)
        let report = parts.count == 2 ? PullReport(rawValue: String(parts[1])) : .notPresent
        guard let first = parts.first, let number = Int(first), number > 0, let report else {
            let reports = PullReport.allCases.map(\.rawValue).joined(separator: ", ")
            throw .badValue(option: "pull", value: text, expected: "a number from 1, or N:REPORT with \(reports)")
        }
        (pull, pullReport) = (number, report)
    }
}
