// What follows `virtual:` on the command line: tags, faults and options of a virtual reader

/// A virtual reader described in words: `TAGS[?OPTION[=VALUE]&…]`.
///
/// `TAGS` is empty (one factory-written NTAG215) or a list with commas of `KIND`, `KIND*COUNT` and `FILE.nfc`; all are
/// in the field at once unless the option `stream` is given. A file is made when it is missing, as an NTAG215 or as
/// the option `kind` says. Options may be separated by commas too. Serial numbers, and UIDs by them, count from the
/// option `serial` for each kind, so that several readers can have tags of their own.
///
/// Two readers with the same `antenna=NAME`, in one process or in two of the same user, are in each other's field: what
/// one of them is as a target, the other has as a tag. With this option, an empty `TAGS` is no tag.
public struct VirtualReaderSpec: Sendable {
    /// The tags, in their order.
    public private(set) var tags: [any VirtualTag] = []
    /// Those among the tags that are kept in files.
    public private(set) var files: [TagFile] = []
    /// The faults.
    public private(set) var faults = Faults()
    /// How long answers take.
    public private(set) var latency = Latency.none
    /// The chip.
    public private(set) var chip = ChipModel.pn532
    /// The tags come one at a time.
    public private(set) var isStream = false
    /// The name of the ``Antenna``, shared with another reader.
    public private(set) var antennaName: String?
    private var dwell = Duration.milliseconds(400)
    private var gap = Duration.milliseconds(100)
    private var newKind = VirtualTagKind.ntag215
    private var firstSerial = 1

    /// Largest COUNT.
    private static let maximumCount = 65_535
    /// UIDs have 16 bits for it; after the largest comes 0.
    private static let maximumSerial = 65_535
    static let fileSuffix = ".nfc"
    /// The options, in the order in which they are listed to the user.
    static let options = [
        "loss", "tear", "nak", "crc", "corrupt", "mute", "hang", "deaf", "slowwake", "back", "repeat", "latency",
        "stream", "dwell", "gap", "kind", "serial", "chip", "antenna",
    ]

    /// Parses a description; reads the tag files it names, and makes those that are missing.
    /// - Throws: ``VirtualReaderError``, naming the word that was wrong.
    public init(parsing text: String) throws(VirtualReaderError) {
        let parts = text.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        if parts.count == 2 {
            for option in parts[1].split(whereSeparator: { $0 == "&" || $0 == "," }) { try apply(String(option)) }
        }
        guard !parts[0].isEmpty else {
            if antennaName == nil { tags = [VirtualTagKind.demonstration()] }
            return
        }
        var serials: [VirtualTagKind: Int] = [:]
        for word in parts[0].split(separator: ",", omittingEmptySubsequences: false) {
            try add(String(word), serials: &serials)
        }
    }

    /// A field with these tags; each call gives a field of its own, with the same tags in it.
    public func makeField() -> Field { isStream ? Field(stream: tags, dwell: dwell, gap: gap) : Field(tags) }

    /// Starts the reader.
    /// - Throws: ``VirtualReaderError/noPseudoTerminal(_:)`` or ``VirtualReaderError/noThread(_:)``.
    public func makeReader() throws(VirtualReaderError) -> VirtualReader {
        var antenna: Antenna?
        if let antennaName { antenna = try Antenna(named: antennaName) }
        return try VirtualReader(
            field: makeField(), antenna: antenna, faults: faults, latency: latency, chip: chip, files: files)
    }

    private mutating func add(_ word: String, serials: inout [VirtualTagKind: Int]) throws(VirtualReaderError) {
        if word.hasSuffix(Self.fileSuffix) {
            let file = try TagFile(path: word, kind: newKind)
            files.append(file)
            tags.append(file.tag)
            return
        }
        let parts = word.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false)
        let kind = try Self.kind(String(parts[0]))
        var count = 1
        if parts.count == 2 {
            count = try Self.number(String(parts[1]), for: "\(kind.rawValue)*COUNT", in: 1...Self.maximumCount)
        }
        for _ in 0..<count {
            let serial = serials[kind, default: firstSerial]
            serials[kind] = serial + 1
            tags.append(kind.make(serial: serial))
        }
    }

    private mutating func apply(_ option: String) throws(VirtualReaderError) {
        let parts = option.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let (name, value) = (parts[0], parts.count == 2 ? parts[1] : "")
        switch name {
        case "latency":
            guard let latency = Latency(rawValue: value) else {
                throw .badValue(option: name, value: value, expected: "none or real")
            }
            self.latency = latency
        case "chip":
            guard let chip = ChipModel(rawValue: value) else {
                throw .badValue(option: name, value: value, expected: "pn532 or pn533")
            }
            self.chip = chip
        case "kind": newKind = try Self.kind(value)
        case "serial": firstSerial = try Self.number(value, for: name, in: 1...Self.maximumSerial)
        case "antenna":
            // To find a bad name here, not at the start.
            _ = try Antenna(named: value)
            antennaName = value
        case "stream": isStream = true
        case "dwell": dwell = try Self.duration(value, for: name)
        case "gap": gap = try Self.duration(value, for: name)
        default: try faults.apply(name, value)
        }
    }

    /// The kind with this name.
    static func kind(_ word: String) throws(VirtualReaderError) -> VirtualTagKind {
        guard let kind = VirtualTagKind(rawValue: word) else {
            throw .notAKind(word, known: VirtualTagKind.allCases.map(\.rawValue))
        }
        return kind
    }

    /// A whole number.
    static func number(
        _ text: String, for option: String, in range: ClosedRange<Int>
    ) throws(VirtualReaderError) -> Int {
        guard let number = Int(text), range.contains(number) else {
            let expected = "a number from \(range.lowerBound) to \(range.upperBound)"
            throw .badValue(option: option, value: text, expected: expected)
        }
        return number
    }

    /// A time: a whole number with the unit `ms` or `s`, at most a day.
    static func duration(_ text: String, for option: String) throws(VirtualReaderError) -> Duration {
        let digits = text.prefix { $0.isASCII && $0.isNumber }
        if let number = Int(digits), number <= 86_400_000 {
            switch text.dropFirst(digits.count) {
            case "ms": return .milliseconds(number)
            case "s" where number <= 86_400: return .seconds(number)
            default: break
            }
        }
        throw .badValue(option: option, value: text, expected: "a time such as 500ms or 2s")
    }
}

extension Faults {
    /// Sets a fault by its name: `loss=N`, `tear=N`, `nak=N`, `crc=N`, `corrupt=N`, `mute=N`, `hang=N`, `deaf=N`,
    /// `slowwake=TIME`, `back=TIME`, `repeat`.
    /// - Throws: ``VirtualReaderError/notAnOption(_:known:)`` or ``VirtualReaderError/badValue(option:value:expected:)``.
    public mutating func apply(_ name: String, _ value: String) throws(VirtualReaderError) {
        let numbered: [String: WritableKeyPath<Faults, Int?>] = [
            "loss": \.loss, "tear": \.tear, "nak": \.nak, "crc": \.crc, "corrupt": \.corrupt, "mute": \.mute,
            "hang": \.hang, "deaf": \.deaf,
        ]
        if let path = numbered[name] {
            let first = name == "mute" || name == "hang" ? 0 : 1
            self[keyPath: path] = try VirtualReaderSpec.number(value, for: name, in: first...1_000_000_000)
        } else if name == "slowwake" {
            slowwake = try VirtualReaderSpec.duration(value, for: name)
        } else if name == "back" {
            back = try VirtualReaderSpec.duration(value, for: name)
        } else if name == "repeat" {
            repeats = true
        } else {
            throw .notAnOption(name, known: VirtualReaderSpec.options)
        }
    }
}
