// The text after `virtual:` on the command line — tags, faults and options of a virtual reader

import Glibc

/// A textual description of a virtual reader: `TAGS[?OPTION[=VALUE]&…]`.
///
/// `TAGS` is empty (for one factory-written NTAG215) or a comma-separated list of `KIND[:OPTION=VALUE]…`, `KIND*COUNT`
/// and `FILE.nfc`. All tags are in the field at once unless the option `stream` is given. If a file is missing, it is
/// created as an NTAG215, or as the kind that the option `kind` names. Options may also be separated by commas.
/// Docs/VirtualReader.md lists all options.
///
/// For each kind, serial numbers start at the value of the option `serial`, and UIDs are derived from them. Several
/// readers can therefore have different tags. A new file gets a random UID unless `serial` is given. No two tags of a
/// list share a UID.
///
/// Two readers with the same `antenna=NAME`, in any processes of the same user, are in each other's field: if one of
/// them is a target, the other sees it as a tag. With this option, an empty `TAGS` means no tag.
public struct VirtualReaderSpec: Sendable {
    /// The tags, in order.
    public private(set) var tags: [any VirtualTag] = []
    /// The tag files, whose tags are also in ``tags``.
    public private(set) var files: [TagFile] = []
    /// The faults to simulate.
    public private(set) var faults = Faults()
    /// The differences between the Type 2 Tags and the chips that they imitate.
    public private(set) var variant = Type2Variant()
    /// Whether answers take time.
    public private(set) var latency = Latency.none
    /// The chip model.
    public private(set) var chip = ChipModel.pn532
    /// Whether the tags arrive one at a time.
    public private(set) var isStream = false
    /// The name of the ``Antenna`` that is shared with another reader; nil if no antenna is shared.
    public private(set) var antennaName: String?
    private var dwell: Duration?
    private var gap: Duration?
    private var newKind: VirtualTagKind?
    private var firstSerial: Int?

    /// The largest serial number.
    ///
    /// In a UID, 16 bits are used for the serial number.
    private static let maximumSerial = 65_535

    /// Parses a description, reads the tag files in it, and creates the missing ones.
    /// - Throws: ``VirtualReaderError``, which names the invalid word.
    public init(parsing text: String) throws(VirtualReaderError) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        var options: Set<VirtualReaderOption> = []
        if parts.count == 2 {
            for text in parts[1].split(whereSeparator: { $0 == "&" || $0 == "," }) {
                let (option, value) = try VirtualReaderOption.parse(String(text))
                try apply(option, value)
                options.insert(option)
            }
        }
        var words: [TagWord] = []
        if !parts[0].isEmpty {
            for word in parts[0].split(separator: ",", omittingEmptySubsequences: false) {
                try words.append(TagWord(String(word)))
            }
        }
        try checkEffect(of: options, on: words)
        try makeTags(words)
        if words.isEmpty, antennaName == nil { tags = [VirtualTagKind.demonstration()] }
        let type2Tags = tags.compactMap { $0 as? VirtualType2Tag }
        if let option = VirtualReaderOption.ofType2.first(where: options.contains), type2Tags.isEmpty {
            throw .withoutEffect(option: option.rawValue, .noType2Tag)
        }
        if words.isEmpty { type2Tags.forEach { $0.variant = variant } }
    }

    /// Joins several descriptions into one that puts all their tags into one field and has all their options.
    package static func text(_ texts: [String]) -> String {
        let parts = texts.map { $0.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false) }
        let options = parts.compactMap { $0.count == 2 ? String($0[1]) : nil }
        return parts.map { String($0[0]) }.joined(separator: ",")
            + (options.isEmpty ? "" : "?" + options.joined(separator: "&"))
    }

    /// Creates a field with these tags.
    ///
    /// Each call returns a new field with the same tags.
    public func makeField() -> Field { makeField(of: tags) }

    /// Creates a field with other tags, but with the arrangement that the options request: all at once or one after the
    /// other.
    package func makeField(of tags: [any VirtualTag]) -> Field {
        guard isStream else { return Field(tags) }
        return Field(stream: tags, dwell: dwell ?? .milliseconds(400), gap: gap ?? .milliseconds(100))
    }

    /// Starts a reader that has these properties.
    /// - Throws: the errors of ``Antenna/init(named:)`` and `VirtualReader.init`.
    public func makeReader() throws(VirtualReaderError) -> VirtualReader {
        var antenna: Antenna?
        if let antennaName { antenna = try Antenna(named: antennaName) }
        return try VirtualReader(
            field: makeField(), antenna: antenna, faults: faults, latency: latency, chip: chip, files: files)
    }

    private mutating func apply(
        _ option: VirtualReaderOption, _ value: OptionValue
    ) throws(VirtualReaderError) {
        switch option {
        case .latency: latency = try value.choice(Latency.self)
        case .chip: chip = try value.choice(ChipModel.self)
        case .kind: newKind = try VirtualTagKind(named: value.text)
        case .serial: firstSerial = try value.number(in: 1...Self.maximumSerial)
        case .antenna:
            // Report an invalid name here, not when the reader starts.
            _ = try Antenna(named: value.text)
            antennaName = value.text
        case .stream:
            try value.nothing()
            isStream = true
        case .dwell: dwell = try value.duration()
        case .gap: gap = try value.duration()
        default: if try !faults.apply(option, value) { _ = try variant.apply(option, value) }
        }
    }

    private func checkEffect(
        of options: Set<VirtualReaderOption>, on words: [TagWord]
    ) throws(VirtualReaderError) {
        let hasFile = words.contains { if case .file = $0 { true } else { false } }
        let isCounted = [faults.loss, faults.tear, faults.nak, faults.crc, faults.corrupt].contains { $0 != nil }
        let isNoisy = faults.coupling.bitErrorRate > 0 || faults.coupling.edge != nil
        let rules: [(VirtualReaderOption, isUsed: Bool, VirtualReaderError.Reason)] = [
            (.kind, hasFile, .noFile), (.serial, !words.isEmpty, .noTags), (.dwell, isStream, .noStream),
            (.gap, isStream, .noStream), (.strikesAgain, isCounted, .noCountedFault),
            (.back, faults.loss != nil || faults.tear != nil, .noLostTag), (.seed, isNoisy, .noNoise),
        ]
        for (option, isUsed, reason) in rules where options.contains(option) && !isUsed {
            throw .withoutEffect(option: option.rawValue, reason)
        }
    }

    // MARK: Tags

    /// Creates the tags and reads the files.
    ///
    /// Missing files are created last, after all words have been checked.
    private mutating func makeTags(_ words: [TagWord]) throws(VirtualReaderError) {
        var made: [[any VirtualTag]] = []
        var identifiers = TagIdentifiers(firstSerial: firstSerial)
        var paths: Set<String> = []
        for word in words {
            switch word {
            case .tags(let kind, let own, let count):
                made.append(
                    (0..<count).map { _ in
                        let tag = kind.make(serial: identifiers.nextSerial(of: kind))
                        (tag as? VirtualType2Tag)?.deliver(as: own ?? variant)
                        return tag
                    })
            case .file(let path):
                guard paths.insert(path).inserted else { throw .fileNamedTwice(path: path) }
                let file = try TagFile.existing(at: path)
                if let file {
                    files.append(file)
                    (file.tag as? VirtualType2Tag)?.variant = variant
                }
                made.append(file.map { [$0.tag] } ?? [])
            }
            for tag in made[made.count - 1] { identifiers.note(tag.identifier) }
        }
        // If a file is new, the option describes that file only, so the existing files are not checked.
        if let newKind, !made.contains(where: \.isEmpty) {
            for file in files { try newKind.check(file) }
        }
        var created: [TagFile] = []
        do throws(VirtualReaderError) {
            for (index, word) in words.enumerated() {
                guard case .file(let path) = word, made[index].isEmpty else { continue }
                let kind = newKind ?? .ntag215
                let tag = identifiers.newTag(of: kind)
                (tag as? VirtualType2Tag)?.deliver(as: variant)
                try created.append(TagFile(creating: path, tag, of: kind))
                made[index] = [tag]
            }
        } catch {
            // If one file cannot be created, remove those that were created before it.
            for file in created { unlink(file.path) }
            throw error
        }
        files += created
        tags = made.flatMap { $0 }
    }
}
