// The settings of a file — NXP MF3ICDx21_41_81 (GetFileSettings), NT4H2421Gx (ChangeFileSettings, GetFileSettings)

/// Who may do something with a file: four bits of its access rights.
public enum FileAccess: Hashable, Sendable {
    /// Readers that have authenticated with the key of this number, 0…13.
    case key(Int)
    /// Anyone, without a key.
    case free
    /// No one.
    case never

    /// - Parameter nibble: the lower four bits count.
    init(nibble: some BinaryInteger) {
        switch UInt8(truncatingIfNeeded: nibble) & 0x0F {
        case 0x0E: self = .free
        case 0x0F: self = .never
        case let number: self = .key(Int(number))
        }
    }

    /// Four bits.
    var nibble: UInt16 {
        switch self {
        case .key(let number): UInt16(truncatingIfNeeded: number) & 0x0F
        case .free: 0x0E
        case .never: 0x0F
        }
    }
}

/// The settings of a file of a DESFire or an NTAG 4xx DNA.
public struct NativeFileSettings: Hashable, Sendable {
    /// What a file is.
    public enum Kind: UInt8, Hashable, Sendable {
        case standardData = 0x00
        case backupData, value, linearRecord, cyclicRecord, transactionMAC
    }

    /// How data go over the air once a key is authenticated: bits 1 and 0 of FileOption.
    public enum Communication: UInt8, Hashable, Sendable {
        case plain = 0x00
        case mac = 0x01
        case full = 0x03

        init(fileOption: UInt8) { self = fileOption & 0x01 == 0 ? .plain : fileOption & 0x02 == 0 ? .mac : .full }
    }

    /// Read, Write, ReadWrite, Change.
    public struct AccessRights: Hashable, Sendable {
        /// Who may read.
        public var read: FileAccess
        /// Who may write.
        public var write: FileAccess
        /// Who may do both.
        public var readWrite: FileAccess
        /// Who may change the settings.
        public var change: FileAccess

        /// Describes access rights.
        public init(read: FileAccess, write: FileAccess, readWrite: FileAccess, change: FileAccess) {
            (self.read, self.write, self.readWrite, self.change) = (read, write, readWrite, change)
        }

        /// - Parameter bytes: two, the low one first.
        init(_ bytes: some Collection<UInt8>) {
            let value = bytes.reversed().reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
            self.init(
                read: FileAccess(nibble: value >> 12), write: FileAccess(nibble: value >> 8),
                readWrite: FileAccess(nibble: value >> 4), change: FileAccess(nibble: value))
        }

        /// Two bytes, the low one first.
        public var bytes: [UInt8] {
            let value = read.nibble << 12 | write.nibble << 8 | readWrite.nibble << 4 | change.nibble
            return [UInt8(value & 0xFF), UInt8(value >> 8)]
        }
    }

    /// What the file is.
    public var kind: Kind
    /// How data go over the air.
    public var communication: Communication
    /// Who may do what.
    public var rights: AccessRights
    /// In bytes; of a record file that of all its records; nil of a value or a transaction MAC.
    public var size: Int?
    /// Secure Dynamic Messaging, where it is on.
    public var dynamic: DynamicSettings?

    /// FileOption with Secure Dynamic Messaging and mirroring.
    private static let dynamicOption: UInt8 = 0x40

    /// Describes the settings of a standard data file.
    public init(
        communication: Communication, rights: AccessRights, size: Int?, dynamic: DynamicSettings? = nil
    ) {
        (kind, self.communication, self.rights) = (.standardData, communication, rights)
        (self.size, self.dynamic) = (size, dynamic)
    }

    /// Decodes the answer to GetFileSettings; nil for one that is too short, or of an unknown kind.
    public init?(_ answer: [UInt8]) {
        guard answer.count >= 4, let kind = Kind(rawValue: answer[0]) else { return nil }
        self.kind = kind
        communication = Communication(fileOption: answer[1])
        rights = AccessRights(answer[2..<4])
        let rest = answer.dropFirst(4)
        func number(_ index: Int) -> Int? {
            let bytes = rest.dropFirst(3 * index).prefix(3)
            return bytes.count == 3 ? bytes.littleEndian : nil
        }
        switch kind {
        case .standardData, .backupData:
            guard let size = number(0) else { return nil }
            self.size = size
        case .linearRecord, .cyclicRecord:
            guard let record = number(0), let most = number(1) else { return nil }
            size = record * most
        case .value, .transactionMAC: size = nil
        }
        if kind == .standardData, answer[1] & Self.dynamicOption != 0 {
            guard let dynamic = DynamicSettings(rest.dropFirst(3)) else { return nil }
            self.dynamic = dynamic
        }
    }

    /// What ChangeFileSettings takes: FileOption, AccessRights, and the settings of Secure Dynamic Messaging.
    public var changeData: [UInt8] {
        [communication.rawValue | (dynamic == nil ? 0 : Self.dynamicOption)] + rights.bytes + (dynamic?.bytes ?? [])
    }
}

/// The settings of Secure Dynamic Messaging; places are in bytes from the beginning of the file.
public struct DynamicSettings: Hashable, Sendable {
    private enum Option {
        static let (uid, counter, limit, fileData, ascii): (UInt8, UInt8, UInt8, UInt8, UInt8) = (
            0x80, 0x40, 0x20, 0x10, 0x01
        )
    }

    /// SDMReadCtrOffset: the counter is not shown.
    private static let notShown = 0xFF_FFFF

    /// Whether the tag shows its UID, in plain text or enciphered.
    public var hasUID: Bool
    /// Whether the tag counts its taps.
    public var hasCounter: Bool
    /// Who can read UID and counter: a key enciphers them, `free` shows them in plain text, `never` hides them.
    public var metaRead: FileAccess
    /// The key that signs; `never` for no signature.
    public var fileRead: FileAccess
    /// Who may ask for the counter.
    public var counterRetrieval: FileAccess
    /// Of the UID in plain text.
    public var uidOffset: Int?
    /// Nil where the counter is not shown in plain text.
    public var counterOffset: Int?
    /// Of UID and counter, enciphered.
    public var piccOffset: Int?
    /// From where on the tag signs.
    public var macInputOffset: Int?
    /// The part of the file that is enciphered: its place and its length in hexadecimal digits.
    public var fileData: Range<Int>?
    /// Of the signature.
    public var macOffset: Int?
    /// After how many taps the tag shows its message no more.
    public var limit: Int?

    /// Describes settings without any place.
    public init(
        hasUID: Bool, hasCounter: Bool, metaRead: FileAccess, fileRead: FileAccess, counterRetrieval: FileAccess
    ) {
        (self.hasUID, self.hasCounter) = (hasUID, hasCounter)
        (self.metaRead, self.fileRead, self.counterRetrieval) = (metaRead, fileRead, counterRetrieval)
    }

    /// Decodes SDMOptions and what follows them; nil for too few bytes.
    init?(_ bytes: ArraySlice<UInt8>) {
        guard bytes.count >= 3, let options = bytes.first else { return nil }
        let rights = bytes.dropFirst().prefix(2).littleEndian
        self.init(
            hasUID: options & Option.uid != 0, hasCounter: options & Option.counter != 0,
            metaRead: FileAccess(nibble: rights >> 12), fileRead: FileAccess(nibble: rights >> 8),
            counterRetrieval: FileAccess(nibble: rights))
        var rest = bytes.dropFirst(3)
        var isComplete = true
        func next(_ isThere: Bool) -> Int? {
            guard isThere else { return nil }
            defer { rest = rest.dropFirst(3) }
            isComplete = isComplete && rest.count >= 3
            return rest.prefix(3).littleEndian
        }
        uidOffset = next(hasUID && metaRead == .free)
        counterOffset = next(hasCounter && metaRead == .free)
        if counterOffset == Self.notShown { counterOffset = nil }
        piccOffset = next(metaRead.isKey)
        macInputOffset = next(fileRead.isKey)
        let isEnciphering = fileRead.isKey && options & Option.fileData != 0
        let (start, length) = (next(isEnciphering), next(isEnciphering))
        if let start, let length { fileData = start..<start + length }
        macOffset = next(fileRead.isKey)
        limit = next(options & Option.limit != 0)
        guard isComplete else { return nil }
    }

    /// SDMOptions, SDMAccessRights, places, SDMReadCtrLimit.
    var bytes: [UInt8] {
        var options = Option.ascii
        for (isSet, bit) in [
            (hasUID, Option.uid), (hasCounter, Option.counter), (limit != nil, Option.limit),
            (fileData != nil, Option.fileData),
        ] where isSet { options |= bit }
        let rights = metaRead.nibble << 12 | fileRead.nibble << 8 | 0x00F0 | counterRetrieval.nibble
        let counter = hasCounter && metaRead == .free ? counterOffset ?? Self.notShown : nil
        return [options, UInt8(rights & 0xFF), UInt8(rights >> 8)]
            + [
                uidOffset, counter, piccOffset, macInputOffset, fileData?.lowerBound, fileData?.count, macOffset, limit,
            ].compactMap(\.self).flatMap { DESFireCommands.littleEndian($0, 3) }
    }
}

extension FileAccess {
    /// Whether it takes a key.
    public var isKey: Bool { if case .key = self { true } else { false } }
}

extension Collection<UInt8> {
    /// The number of up to seven bytes, the low one first.
    var littleEndian: Int { reversed().reduce(0) { $0 << 8 | Int($1) } }
}
