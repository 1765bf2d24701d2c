// The settings of a file on a DESFire or an NTAG 4xx DNA — NXP MF3ICDx21_41_81 (GetFileSettings), NT4H2421Gx
// (ChangeFileSettings, GetFileSettings)

/// The condition for one kind of access to a file, which is stored in four bits of its access rights.
public enum FileAccess: Hashable, Sendable {
    /// Only readers that have authenticated with the key of this number, 0…13, have access.
    case key(Int)
    /// Every reader has access, without a key.
    case free
    /// No reader has access.
    case never

    /// Decodes a condition from four bits.
    ///
    /// - Parameter nibble: the condition, in the lower four bits.
    init(nibble: some BinaryInteger) {
        switch UInt8(truncatingIfNeeded: nibble) & 0x0F {
        case 0x0E: self = .free
        case 0x0F: self = .never
        case let number: self = .key(Int(number))
        }
    }

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
    /// The type of a file.
    public enum Kind: UInt8, Hashable, Sendable {
        /// A file with bytes that each write changes immediately.
        case standardData = 0x00
        /// A file with data that changes only when the transaction is committed.
        case backupData, value, linearRecord, cyclicRecord
        /// A file with the MAC of the last transaction.
        case transactionMAC
    }

    /// The protection of transmitted data after authentication, in bits 1 and 0 of FileOption.
    public enum Communication: UInt8, Hashable, Sendable {
        /// Data is not protected.
        case plain = 0x00
        /// Data is protected with a MAC.
        case mac = 0x01
        /// Data is encrypted and protected with a MAC.
        case full = 0x03

        init(fileOption: UInt8) { self = fileOption & 0x01 == 0 ? .plain : fileOption & 0x02 == 0 ? .mac : .full }
    }

    /// The access rights Read, Write, ReadWrite and Change.
    public struct AccessRights: Hashable, Sendable {
        /// The condition for reading.
        public var read: FileAccess
        /// The condition for writing.
        public var write: FileAccess
        /// The condition for both reading and writing.
        public var readWrite: FileAccess
        /// The condition for changing the settings.
        public var change: FileAccess

        /// Creates access rights.
        public init(read: FileAccess, write: FileAccess, readWrite: FileAccess, change: FileAccess) {
            (self.read, self.write, self.readWrite, self.change) = (read, write, readWrite, change)
        }

        /// Decodes access rights.
        ///
        /// - Parameter bytes: two bytes, low byte first.
        init(_ bytes: some Collection<UInt8>) {
            let value = bytes.reversed().reduce(UInt16(0)) { $0 << 8 | UInt16($1) }
            self.init(
                read: FileAccess(nibble: value >> 12), write: FileAccess(nibble: value >> 8),
                readWrite: FileAccess(nibble: value >> 4), change: FileAccess(nibble: value))
        }

        /// The access rights as two bytes, low byte first.
        public var bytes: [UInt8] {
            let value = read.nibble << 12 | write.nibble << 8 | readWrite.nibble << 4 | change.nibble
            return [UInt8(value & 0xFF), UInt8(value >> 8)]
        }
    }

    /// The type of the file.
    public var kind: Kind
    /// The protection of transmitted data after authentication.
    public var communication: Communication
    /// The access rights.
    public var rights: AccessRights
    /// The size of the file, in bytes.
    ///
    /// For a record file, this is the size of all its records together. It is `nil` for a value file or a transaction
    /// MAC.
    public var size: Int?
    /// The settings of Secure Dynamic Messaging, or `nil` if it is off.
    public var dynamic: DynamicSettings?

    /// The FileOption bit for Secure Dynamic Messaging and mirroring.
    private static let dynamicOption: UInt8 = 0x40

    /// Creates the settings of a standard data file.
    public init(
        communication: Communication, rights: AccessRights, size: Int?, dynamic: DynamicSettings? = nil
    ) {
        (kind, self.communication, self.rights) = (.standardData, communication, rights)
        (self.size, self.dynamic) = (size, dynamic)
    }

    /// Decodes the answer to GetFileSettings, or returns `nil` if it is too short or of an unknown kind.
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

    /// The data field of ChangeFileSettings: FileOption, AccessRights, and the settings of Secure Dynamic Messaging.
    public var changeData: [UInt8] {
        [communication.rawValue | (dynamic == nil ? 0 : Self.dynamicOption)] + rights.bytes + (dynamic?.bytes ?? [])
    }
}

/// The settings of Secure Dynamic Messaging.
///
/// Offsets are in bytes from the start of the file.
public struct DynamicSettings: Hashable, Sendable {
    private enum Option {
        static let (uid, counter, limit, fileData, ascii): (UInt8, UInt8, UInt8, UInt8, UInt8) = (
            0x80, 0x40, 0x20, 0x10, 0x01
        )
    }

    /// The value of SDMReadCtrOffset if the counter is not shown.
    private static let notShown = 0xFF_FFFF

    /// Whether the tag shows its UID, in plain text or encrypted.
    public var hasUID: Bool
    /// Whether the tag counts its taps.
    public var hasCounter: Bool
    /// How the UID and the counter are shown: encrypted with a key, in plain text (`free`), or not at all (`never`).
    public var metaRead: FileAccess
    /// The key for the signature, or `never` if the tag does not sign.
    public var fileRead: FileAccess
    /// The condition for requesting the counter with a command.
    public var counterRetrieval: FileAccess
    /// The offset of the UID, or `nil` if the UID is not shown in plain text.
    public var uidOffset: Int?
    /// The offset of the counter, or `nil` if the counter is not shown in plain text.
    public var counterOffset: Int?
    /// The offset of the encrypted UID and counter, or `nil` if they are not encrypted.
    public var piccOffset: Int?
    /// The offset at which the signed data begins, or `nil` if the tag does not sign.
    public var macInputOffset: Int?
    /// The range of the encrypted part of the file, with its length in hexadecimal digits, or `nil` if there is none.
    public var fileData: Range<Int>?
    /// The offset of the signature, or `nil` if the tag does not sign.
    public var macOffset: Int?
    /// The number of taps after which the tag no longer shows its message, or `nil` for no limit.
    public var limit: Int?

    /// Creates settings without any offsets.
    public init(
        hasUID: Bool, hasCounter: Bool, metaRead: FileAccess, fileRead: FileAccess, counterRetrieval: FileAccess
    ) {
        (self.hasUID, self.hasCounter) = (hasUID, hasCounter)
        (self.metaRead, self.fileRead, self.counterRetrieval) = (metaRead, fileRead, counterRetrieval)
    }

    /// Decodes SDMOptions and the bytes after it, or returns `nil` if there are too few bytes.
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

    /// The settings as bytes: SDMOptions, SDMAccessRights, offsets, SDMReadCtrLimit.
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
    /// Whether access requires a key.
    public var isKey: Bool { if case .key = self { true } else { false } }
}

extension Collection<UInt8> {
    /// The number that these bytes, at most seven, represent with the low byte first.
    var littleEndian: Int { reversed().reduce(0) { $0 << 8 | Int($1) } }
}
