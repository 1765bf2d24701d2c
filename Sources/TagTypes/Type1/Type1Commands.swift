// Type 1 Tag commands — NFC Forum T1T, Command Set; ACS ACR122U API 2.04 §7.4 (input and output of a PN532)
import Hexadecimal
import ReaderInterface

/// The commands of one activated Type 1 Tag.
///
/// On a PN532, InDataExchange takes the command, address and data, adds the UID and CRC, and removes the address from
/// the answer. This corresponds to ``Framing/handled`` and works for RALL, READ, WRITE-E and WRITE-NE. According to
/// nfcpy, the firmware supports RSEG only for segment 0, and does not support the 8-byte commands. The 8-byte commands
/// are therefore sent with ``Framing/raw``, as specified, including the UID. RSEG is not sent in this form, because the
/// answer would be larger than the chip's buffer.
struct Type1Commands {
    private enum Code: UInt8 {
        case readAll = 0x00
        case read8 = 0x02
        case readSegment = 0x10
        case writeNoErase = 0x1A
        case writeNoErase8 = 0x1B
        case writeErase = 0x53
        case writeErase8 = 0x54
    }

    /// Whether a write erases the old bytes first.
    enum Erasing {
        /// The old bytes are replaced.
        case withErase
        /// Bits are set but never cleared.
        case noErase
    }

    static let segmentSize = 128
    /// The length of the answer to RALL: HR0, HR1 and the 120 bytes of blocks 0 to E.
    static let readAllCount = 2 + 120

    let channel: any TagChannel

    /// The bytes UID-0…UID-3 from the activation.
    var uid: [UInt8] { channel.target.identifier }

    /// Sends RALL and returns the header ROM and the 120 bytes of static memory.
    func readAll() throws(TagError) -> [UInt8] {
        let answer = try exchange([Code.readAll.rawValue], .handled)
        guard answer.count == Self.readAllCount else {
            throw violation("the answer to RALL", answer.count, "\(Self.readAllCount) bytes", nil)
        }
        // Block 0 starts with the UID. Check it, so that another tag is not mistaken for this one.
        guard uid.isEmpty || answer[2...].starts(with: uid) else { throw .reader(.tagLost) }
        return answer
    }

    /// Sends RSEG and returns the 16 blocks of a segment.
    ///
    /// Readers support this command only for segment 0.
    func readSegment(_ segment: Int) throws(TagError) -> [UInt8] {
        let address = UInt8(truncatingIfNeeded: segment << 4)
        return try answer(
            to: .readSegment, address, [], .handled,
            count: Self.segmentSize, place: segment * Self.segmentSize)
    }

    func read8(_ block: Int) throws(TagError) -> [UInt8] {
        try answer(
            to: .read8, UInt8(truncatingIfNeeded: block), [UInt8](repeating: 0, count: 8), .raw,
            count: Type1Memory.blockSize, place: block * Type1Memory.blockSize)
    }

    /// Throws the reader's own error if it cannot send the commands for 8-byte blocks.
    func requireBlockCommands() throws(TagError) {
        // Writing zeros without erasing changes nothing.
        let command = [Code.writeNoErase8.rawValue, 0x10] + [UInt8](repeating: 0, count: Type1Memory.blockSize) + uid
        try channel.require(command, framing: .raw)
    }

    /// Sends WRITE-E or WRITE-NE for one byte of blocks 0 to F.
    ///
    /// - Returns: the byte that the memory holds after the write, as the answer shows.
    func write(_ byte: UInt8, at address: Int, _ erasing: Erasing) throws(TagError) -> UInt8 {
        try answer(
            to: erasing == .withErase ? .writeErase : .writeNoErase, UInt8(truncatingIfNeeded: address), [byte],
            .handled, count: 1, place: address)[0]
    }

    /// Sends WRITE-E8 or WRITE-NE8 for one block.
    ///
    /// - Returns: the bytes that the block holds after the write, as the answer shows.
    func write8(_ bytes: [UInt8], to block: Int, _ erasing: Erasing) throws(TagError) -> [UInt8] {
        try answer(
            to: erasing == .withErase ? .writeErase8 : .writeNoErase8, UInt8(truncatingIfNeeded: block), bytes,
            .raw, count: Type1Memory.blockSize, place: block * Type1Memory.blockSize)
    }

    /// Returns the data of an answer, without the address if the reader has not removed it.
    private func answer(
        to code: Code, _ address: UInt8, _ data: [UInt8], _ framing: Framing, count: Int, place: Int
    ) throws(TagError) -> [UInt8] {
        let answer = try exchange([code.rawValue, address] + data + (framing == .raw ? uid : []), framing)
        if framing == .handled, answer.count == count { return answer }
        guard answer.count == count + 1 else {
            throw violation("the answer to command \(code.rawValue.hex)", answer.count, "\(count) bytes", place)
        }
        guard answer[0] == address else {
            throw .protocolViolation(
                field: "the address in the answer to command \(code.rawValue.hex)", found: answer.prefix(1).spacedHex,
                expected: address.hex, offset: place)
        }
        return Array(answer[1...])
    }

    private func exchange(_ command: [UInt8], _ framing: Framing) throws(TagError) -> [UInt8] {
        try onReader { () throws(ReaderError) in try channel.transceive(command, framing: framing) }
    }

    private func violation(_ field: String, _ count: Int, _ expected: String, _ offset: Int?) -> TagError {
        .protocolViolation(field: field, found: "\(ByteCount(count))", expected: expected, offset: offset)
    }
}
