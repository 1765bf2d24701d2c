// C-APDU and R-APDU, in the short form — ISO/IEC 7816-4, Command-Response Pairs

/// A command to a card, also called C-APDU.
public struct CommandAPDU: Hashable, Sendable {
    /// The class byte, CLA.
    public var cla: UInt8
    /// The instruction byte, INS.
    public var ins: UInt8
    /// Parameter byte P1.
    public var p1: UInt8
    /// Parameter byte P2.
    public var p2: UInt8
    /// The command data field, of which at most 255 bytes fit into the short form.
    public var data: [UInt8]
    /// Ne, the number of bytes expected in the answer, 1…256 in the short form, or `nil` if none are expected.
    public var ne: Int?

    /// The maximum length of the data field in a short C-APDU.
    public static let maxDataLength = 255
    /// Bit 5 of CLA, which means that more commands of this chain follow.
    static let chainingBit: UInt8 = 0x10

    /// Creates a command.
    public init(cla: UInt8 = 0x00, ins: UInt8, p1: UInt8, p2: UInt8, data: [UInt8] = [], ne: Int? = nil) {
        self.cla = cla
        self.ins = ins
        self.p1 = p1
        self.p2 = p2
        self.data = data
        self.ne = ne
    }

    /// The bytes to send: CLA INS P1 P2 [Lc data] [Le], or `nil` if the data or Ne does not fit into the short form.
    ///
    /// Le is `00` for 256.
    public var bytes: [UInt8]? {
        guard data.count <= Self.maxDataLength, ne.map({ 1...256 ~= $0 }) ?? true else { return nil }
        let header = [cla, ins, p1, p2]
        let body = data.isEmpty ? [] : [UInt8(data.count)] + data
        return header + body + (ne.map { [UInt8($0 & 0xFF)] } ?? [])
    }

    /// Whether the class byte says that the command is protected by secure messaging — ISO/IEC 7816-4, 5.4.1.
    ///
    /// The data field then contains encrypted or authenticated data objects, so the command must stay as it is.
    public var isProtected: Bool {
        switch cla {
        case 0x00...0x1F: cla & 0x0C != 0
        case 0x40...0x7F: cla & 0x20 != 0
        default: false
        }
    }

    /// Splits the command into a chain of commands with at most `length` bytes of data each.
    ///
    /// Only the last command has Le.
    public func chained(length: Int) -> [CommandAPDU] {
        guard length > 0, data.count > length else { return [self] }
        return stride(from: 0, to: data.count, by: length).map { start in
            let isLast = start + length >= data.count
            return CommandAPDU(
                cla: isLast ? cla : cla | Self.chainingBit, ins: ins, p1: p1, p2: p2,
                data: Array(data[start..<min(start + length, data.count)]), ne: isLast ? ne : nil)
        }
    }
}

/// The answer of a card, also called R-APDU.
public struct ResponseAPDU: Hashable, Sendable {
    /// The response data field.
    public var data: [UInt8]
    /// The status word, SW1 SW2.
    public var sw: StatusWord

    /// Creates an answer.
    public init(data: [UInt8], sw: StatusWord) {
        self.data = data
        self.sw = sw
    }

    /// Parses an answer, or returns `nil` if it is shorter than the two status bytes.
    public init?(bytes: [UInt8]) {
        guard bytes.count >= 2 else { return nil }
        data = Array(bytes.dropLast(2))
        sw = StatusWord(UInt16(bytes[bytes.count - 2]) << 8 | UInt16(bytes[bytes.count - 1]))
    }
}
