// The Type 4 Tag command set — NFC Forum T4T: SELECT, READ BINARY, UPDATE BINARY, both with ODO

import Hexadecimal
import ReaderInterface

/// The commands of a Type 4 Tag, limited to the lengths that the card and the reader support.
struct Type4Commands {
    /// The identifier of the NDEF tag application of mapping versions 2.0 and 3.0.
    static let ndefApplication: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
    /// The identifier of the LDS1 application of electronic passports — ICAO Doc 9303-10.
    static let passportApplication: [UInt8] = [0xA0, 0x00, 0x00, 0x02, 0x47, 0x10, 0x01]
    /// The last offset that fits into P1 P2.
    ///
    /// For a larger offset, an offset data object is sent.
    static let maxShortOffset = 0x7FFF
    /// The length of the header of an UPDATE BINARY with an offset data object: `54 03`, three offset bytes, `53` and
    /// one length byte.
    private static let updateODOHeader = 7
    /// The maximum length of the header of a data object: `53` and a length field of up to three bytes.
    private static let dataObjectHeader = 4
    /// The maximum data length that fits into a one-byte length field of a data object.
    private static let maxODODataLength = 127

    private enum Instruction {
        static let select: UInt8 = 0xA4
        static let readBinary: UInt8 = 0xB0
        static let readBinaryODO: UInt8 = 0xB1
        static let updateBinary: UInt8 = 0xD6
        static let updateBinaryODO: UInt8 = 0xD7
    }

    let exchange: APDUExchange
    /// The maximum number of data bytes in one answer.
    private(set) var mle = 15
    /// The maximum number of data bytes in one command.
    private(set) var mlc = 13
    /// The assumed maximum number of data bytes with which a command or an answer arrives despite noise.
    private var passable = 255
    /// The minimum value of ``passable``.
    ///
    /// Frames with less data are lost nearly as often, because their headers have the same length.
    private static let leastPassable = 16
    private let maxCommandLength: Int
    private let maxResponseLength: Int

    init(over channel: any TagChannel) {
        exchange = APDUExchange(over: channel)
        maxCommandLength = channel.maxCommandLength
        maxResponseLength = channel.maxResponseLength
    }

    /// Applies the MLe and MLc of the container, limited to what the reader supports.
    ///
    /// An Le of 256 is avoided, because some cards do not support it.
    mutating func limit(to container: Type4CapabilityContainer) {
        mle = max(1, min(container.mle, passable, maxResponseLength - 2))
        mlc = max(1, min(container.mlc, passable, CommandAPDU.maxDataLength, maxCommandLength - 5))
    }

    /// Sends shorter commands and requests shorter answers from now on, because noise breaks long frames first.
    mutating func shorten() {
        passable = max(Self.leastPassable, passable / 2)
        (mle, mlc) = (min(mle, passable), min(mlc, passable))
    }

    func selectNDEFApplication() throws(TagError) -> StatusWord {
        try exchange.send(
            CommandAPDU(ins: Instruction.select, p1: 0x04, p2: 0x00, data: Self.ndefApplication, ne: 256)
        ).sw
    }

    /// Selects the passport application without requesting data in the answer, as ICAO Doc 9303-10 specifies.
    func selectPassportApplication() throws(TagError) -> StatusWord {
        try exchange.send(
            CommandAPDU(ins: Instruction.select, p1: 0x04, p2: 0x0C, data: Self.passportApplication)
        ).sw
    }

    func select(fileID: UInt16) throws(TagError) -> StatusWord {
        try exchange.send(
            CommandAPDU(
                ins: Instruction.select, p1: 0x00, p2: 0x0C, data: [UInt8(fileID >> 8), UInt8(fileID & 0xFF)])
        ).sw
    }

    /// Sends one READ BINARY and returns 1…`length` bytes of the selected file.
    func readBinary(offset: Int, length: Int) throws(TagError) -> [UInt8] {
        if offset > Self.maxShortOffset { return try readBinaryODO(offset: offset, length: length) }
        let ne = max(1, min(length, mle))
        let command = CommandAPDU(
            ins: Instruction.readBinary, p1: UInt8(offset >> 8), p2: UInt8(offset & 0xFF), ne: ne)
        let answer = try exchange.send(command)
        guard answer.sw == .success else {
            throw .commandFailed(command: "READ BINARY", offset: offset, sw: answer.sw.rawValue)
        }
        guard 1...ne ~= answer.data.count else {
            throw .protocolViolation(
                field: "the answer to READ BINARY", found: "\(ByteCount(answer.data.count))",
                expected: "1 to \(ne) bytes",
                offset: offset)
        }
        return answer.data
    }

    /// Sends READ BINARY with an offset data object and returns 1…`length` bytes of the selected file.
    ///
    /// For the odd instruction code, ISO/IEC 7816-4 wraps the answer in a discretionary data object `53`, but some
    /// cards answer with plain bytes. Both are accepted. The request therefore includes the length of the object
    /// header, and the file may end within the requested range.
    private func readBinaryODO(offset: Int, length: Int) throws(TagError) -> [UInt8] {
        let ne = max(1, min(length + Self.dataObjectHeader, mle))
        let answer = try exchange.send(
            CommandAPDU(ins: Instruction.readBinaryODO, p1: 0, p2: 0, data: Self.offsetObject(offset), ne: ne))
        guard answer.sw == .success || answer.sw == .endOfFile else {
            throw .commandFailed(command: "READ BINARY", offset: offset, sw: answer.sw.rawValue)
        }
        let data = Self.contentsOfDataObject(answer.data).prefix(length)
        guard !data.isEmpty, answer.data.count <= ne else {
            throw .protocolViolation(
                field: "the answer to READ BINARY", found: "\(ByteCount(answer.data.count))",
                expected: "1 to \(ne) bytes",
                offset: offset)
        }
        return Array(data)
    }

    /// Returns the contents of the data object `53` if it fills the whole answer, and otherwise the answer itself.
    private static func contentsOfDataObject(_ answer: [UInt8]) -> ArraySlice<UInt8> {
        for (header, length) in [([0x53] as [UInt8], 1), ([0x53, 0x81], 1), ([0x53, 0x82], 2)] {
            let rest = answer.dropFirst(header.count)
            let content = rest.dropFirst(length)
            guard answer.starts(with: header), rest.count >= length else { continue }
            if rest.prefix(length).reduce(0, { $0 << 8 | Int($1) }) == content.count { return content }
        }
        return answer[...]
    }

    /// Sends READ BINARY until `count` bytes have arrived.
    func read(offset: Int, count: Int) throws(TagError) -> [UInt8] {
        var bytes: [UInt8] = []
        // A card may answer with fewer bytes than Le. The limit stops a card that sends single bytes from keeping the
        // program busy.
        for _ in 0...(count / mle + 1) * 2 where bytes.count < count {
            bytes += try readBinary(offset: offset + bytes.count, length: count - bytes.count)
        }
        guard bytes.count == count else {
            throw .protocolViolation(
                field: "the answers to READ BINARY", found: "\(ByteCount(bytes.count))", expected: "\(count) bytes",
                offset: offset)
        }
        return bytes
    }

    /// Sends one UPDATE BINARY with as many of `bytes` as fit into a command, and returns their number.
    func updateBinary(offset: Int, bytes: ArraySlice<UInt8>) throws(TagError) -> Int {
        let piece: [UInt8]
        let command: CommandAPDU
        if offset <= Self.maxShortOffset {
            piece = Array(bytes.prefix(mlc))
            command = CommandAPDU(
                ins: Instruction.updateBinary, p1: UInt8(offset >> 8), p2: UInt8(offset & 0xFF), data: piece)
        } else {
            piece = Array(bytes.prefix(max(0, min(mlc - Self.updateODOHeader, Self.maxODODataLength))))
            try requireReach(to: offset)
            command = CommandAPDU(
                ins: Instruction.updateBinaryODO, p1: 0, p2: 0,
                data: Self.offsetObject(offset) + [0x53, UInt8(piece.count)] + piece)
        }
        let answer = try exchange.send(command)
        guard answer.sw == .success else {
            throw .commandFailed(command: "UPDATE BINARY", offset: offset, sw: answer.sw.rawValue)
        }
        return piece.count
    }

    /// Checks that UPDATE BINARY can address an offset.
    ///
    /// Data for an offset beyond 7FFF is wrapped in data objects, which leave less room for the data.
    func requireReach(to offset: Int) throws(TagError) {
        guard offset <= Self.maxShortOffset || mlc > Self.updateODOHeader else {
            throw .protocolViolation(
                field: "MLc", found: "\(mlc)", expected: "8 or more with offsets beyond 7FFF", offset: 5)
        }
    }

    private static func offsetObject(_ offset: Int) -> [UInt8] {
        [0x54, 0x03, UInt8(offset >> 16 & 0xFF), UInt8(offset >> 8 & 0xFF), UInt8(offset & 0xFF)]
    }
}
