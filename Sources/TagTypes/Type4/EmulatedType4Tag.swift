// An emulated Type 4 Tag that answers each C-APDU with an R-APDU — NFC Forum T4T, mapping version 2.0; ISO/IEC 7816-4

/// An emulated card with the NDEF tag application, which consists of a capability container and one NDEF file.
///
/// The tag is a value, so its answers depend only on the commands that it has received. No input makes the tag trap.
/// Only UPDATE BINARY on a writable NDEF file changes its contents.
public struct EmulatedType4Tag: Hashable, Sendable {
    /// The maximum size of the NDEF file, in bytes, because the offset in READ BINARY has 15 bits.
    public static let maxFileSize = 0x7FFF
    /// The maximum length of a message, in bytes.
    public static let maxMessageLength = maxFileSize - nlenSize
    private static let nlenSize = 2
    /// The minimum size of an NDEF file, in bytes — NFC Forum T4T.
    private static let minFileSize = 5
    private static let ndefFileID: UInt16 = 0xE104
    /// The value of MLe and MLc.
    ///
    /// Commands and answers of this length fit into one frame of a PN532.
    private static let maxDataLength: UInt8 = 0xFF

    private enum Selection: Hashable {
        case nothing
        case application
        case capabilityContainer
        case ndefFile
    }

    /// Whether readers may write the message.
    public let isWritable: Bool
    private let capabilityContainer: [UInt8]
    private var file: [UInt8]
    private var selection = Selection.nothing

    /// Creates a tag.
    ///
    /// - Parameters:
    ///   - message: the bytes of an NDEF message, or empty for no message.
    ///   - isWritable: whether readers may write the message.
    ///   - capacity: the maximum length of a message that a reader may write. If it is less than the length of
    ///     `message`, that length is used.
    /// - Throws: ``TagError/tooLong(length:capacity:)``.
    public init(message: [UInt8], isWritable: Bool = false, capacity: Int = 0) throws(TagError) {
        guard message.count <= Self.maxMessageLength else {
            throw .tooLong(length: message.count, capacity: Self.maxMessageLength)
        }
        let room = isWritable ? min(max(capacity, message.count), Self.maxMessageLength) : message.count
        let size = max(room + Self.nlenSize, Self.minFileSize)
        self.isWritable = isWritable
        file = Self.twoBytes(message.count) + message
        file += [UInt8](repeating: 0, count: size - file.count)
        capabilityContainer =
            Self.twoBytes(Type4CapabilityContainer.minimalLength) + [0x20]
            + [0x00, Self.maxDataLength, 0x00, Self.maxDataLength]
            + [0x04, 0x06] + Self.twoBytes(Int(Self.ndefFileID)) + Self.twoBytes(size)
            + [0x00, isWritable ? 0x00 : 0xFF]
    }

    /// The bytes of the message in the NDEF file.
    ///
    /// They are empty if there is no message, and `nil` while NLEN exceeds the size of the file.
    public var message: [UInt8]? {
        let nlen = Int(file.bigEndian(at: 0, Self.nlenSize))
        guard nlen <= file.count - Self.nlenSize else { return nil }
        return Array(file[Self.nlenSize..<Self.nlenSize + nlen])
    }

    /// Whether the NDEF file is selected for READ BINARY and UPDATE BINARY.
    public var isNDEFFileSelected: Bool { selection == .ndefFile }

    /// Forgets the selected application and file, as a card does at each activation.
    public mutating func reset() { selection = .nothing }

    /// Carries out one command.
    ///
    /// - Parameter command: a C-APDU of any length, as received.
    /// - Returns: the R-APDU, which consists of data, SW1 and SW2 and has at most 258 bytes.
    public mutating func response(to command: [UInt8]) -> [UInt8] {
        let answer = answer(to: command)
        return answer.data + [answer.sw.sw1, answer.sw.sw2]
    }

    private mutating func answer(to bytes: [UInt8]) -> ResponseAPDU {
        if let cla = bytes.first, cla != 0 { return ResponseAPDU(Self.refusal(ofClass: cla)) }
        guard let command = CommandAPDU(bytes: bytes) else { return ResponseAPDU(.wrongLength) }
        switch command.ins {
        case 0xA4: return ResponseAPDU(select(command))
        case 0xB0: return readBinary(command)
        case 0xD6: return ResponseAPDU(updateBinary(command))
        default: return ResponseAPDU(.instructionNotSupported)
        }
    }

    /// Returns the status word for an unsupported CLA.
    ///
    /// Bit 5 is for chaining, bits 4 and 3 for secure messaging, and bits 2 and 1 for the channel — ISO/IEC 7816-4,
    /// coding of CLA.
    private static func refusal(ofClass cla: UInt8) -> StatusWord {
        switch cla {
        case 0x01...0x03: StatusWord(0x6881)
        case 0x10: StatusWord(0x6884)
        case 0x04...0x0F: StatusWord(0x6882)
        default: StatusWord(0x6E00)
        }
    }
}

extension EmulatedType4Tag {
    private mutating func select(_ command: CommandAPDU) -> StatusWord {
        switch (command.p1, command.p2) {
        case (0x04, 0x00), (0x04, 0x0C):
            guard !command.data.isEmpty else { return .lcInconsistent }
            guard command.data == Type4Commands.ndefApplication else { return .fileNotFound }
            selection = .application
        case (0x00, 0x00), (0x00, 0x0C):
            guard command.data.count == 2 else { return .lcInconsistent }
            switch UInt16(command.data.bigEndian(at: 0, 2)) {
            case _ where selection == .nothing: return .fileNotFound
            case Type4CapabilityContainer.fileID: selection = .capabilityContainer
            case Self.ndefFileID: selection = .ndefFile
            default: return .fileNotFound
            }
        default: return .wrongP1P2
        }
        return .success
    }

    private func readBinary(_ command: CommandAPDU) -> ResponseAPDU {
        guard let content = selectedContent else { return ResponseAPDU(.noCurrentFile) }
        guard command.p1 & 0x80 == 0 else { return ResponseAPDU(.wrongP1P2) }
        guard command.data.isEmpty, let ne = command.ne else { return ResponseAPDU(.wrongLength) }
        guard command.offset < content.count else { return ResponseAPDU(.wrongOffset) }
        let data = content[command.offset...].prefix(ne)
        // Le 00 requests all available bytes, so fewer bytes are a success too.
        return ResponseAPDU(data: Array(data), sw: data.count == ne || ne == 256 ? .success : .endOfFile)
    }

    private mutating func updateBinary(_ command: CommandAPDU) -> StatusWord {
        guard let content = selectedContent else { return .noCurrentFile }
        guard command.p1 & 0x80 == 0 else { return .wrongP1P2 }
        guard selection == .ndefFile, isWritable else { return .securityStatusNotSatisfied }
        guard !command.data.isEmpty, command.ne == nil else { return .wrongLength }
        guard command.offset < content.count else { return .wrongOffset }
        let end = command.offset + command.data.count
        guard end <= content.count else { return .notEnoughMemory }
        file.replaceSubrange(command.offset..<end, with: command.data)
        return .success
    }

    private var selectedContent: [UInt8]? {
        switch selection {
        case .nothing, .application: nil
        case .capabilityContainer: capabilityContainer
        case .ndefFile: file
        }
    }

    private static func twoBytes(_ value: Int) -> [UInt8] {
        [UInt8(truncatingIfNeeded: value >> 8), UInt8(truncatingIfNeeded: value)]
    }
}

extension CommandAPDU {
    /// Parses a short C-APDU, or returns `nil` if its lengths match none of the cases 1 to 4 of ISO/IEC 7816-3.
    ///
    /// Extended lengths, which start with a zero Lc, are not supported here.
    init?(bytes: [UInt8]) {
        guard bytes.count >= 4 else { return nil }
        self.init(cla: bytes[0], ins: bytes[1], p1: bytes[2], p2: bytes[3])
        let body = bytes[4...]
        guard let length = body.first else { return }
        guard body.count > 1 else {
            ne = Self.ne(le: length)
            return
        }
        let content = body.dropFirst()
        guard length > 0, content.count == Int(length) || content.count == Int(length) + 1 else { return nil }
        data = Array(content.prefix(Int(length)))
        if content.count > Int(length), let le = content.last { ne = Self.ne(le: le) }
    }

    private static func ne(le: UInt8) -> Int { le == 0 ? 256 : Int(le) }

    /// The offset in P1 P2 of READ BINARY and UPDATE BINARY.
    fileprivate var offset: Int { Int(p1) << 8 | Int(p2) }
}

extension ResponseAPDU {
    fileprivate init(_ sw: StatusWord) { self.init(data: [], sw: sw) }
}

extension StatusWord {
    fileprivate static let wrongLength = StatusWord(0x6700)
    fileprivate static let securityStatusNotSatisfied = StatusWord(0x6982)
    fileprivate static let noCurrentFile = StatusWord(0x6986)
    fileprivate static let notEnoughMemory = StatusWord(0x6A84)
    fileprivate static let wrongP1P2 = StatusWord(0x6A86)
    fileprivate static let lcInconsistent = StatusWord(0x6A87)
    fileprivate static let wrongOffset = StatusWord(0x6B00)
    fileprivate static let instructionNotSupported = StatusWord(0x6D00)
}
