// Frames between the host and the chip — NXP UM0701-02

/// A frame on the link between the host and the chip.
enum HostFrame: Hashable {
    /// `00 00 FF LEN LCS TFI PD… DCS 00`, or extended `00 00 FF FF FF LENM LENL LCS TFI PD… DCS 00`.
    ///
    /// The value contains TFI and PD.
    case information([UInt8])
    /// The acknowledgement `00 00 FF 00 FF 00`.
    case ack
    /// The request to repeat the last answer: `00 00 FF FF 00 00`.
    case nack

    static let fromHost: UInt8 = 0xD4
    static let toHost: UInt8 = 0xD5
    /// The error frame `00 00 FF 01 FF 7F 81 00`, which reports a syntax error at application level.
    static let syntaxError = HostFrame.information([0x7F])
    /// The maximum number of bytes in TFI and the packet data: 1 + 264.
    static let maximumLength = 265

    var encoded: [UInt8] {
        switch self {
        case .ack: return [0x00, 0x00, 0xFF, 0x00, 0xFF, 0x00]
        case .nack: return [0x00, 0x00, 0xFF, 0xFF, 0x00, 0x00]
        case .information(let data):
            let length: [UInt8]
            if data.count <= 0xFF {
                let len = UInt8(data.count)
                length = [len, 0 &- len]
            } else {
                let lenM = UInt8(truncatingIfNeeded: data.count >> 8)
                let lenL = UInt8(truncatingIfNeeded: data.count)
                length = [0xFF, 0xFF, lenM, lenL, 0 &- (lenM &+ lenL)]
            }
            return [0x00, 0x00, 0xFF] + length + data + [0 &- data.reduce(0, &+), 0x00]
        }
    }
}

/// Finds frames in a stream of bytes.
///
/// Preambles, wake-up bytes and garbage between frames are skipped. A frame with a wrong length checksum or data
/// checksum is dropped, and the search continues after its start code. The parser keeps at most one unfinished frame.
struct HostFrameParser {
    private var buffer: [UInt8] = []

    mutating func append(_ bytes: some Sequence<UInt8>) { buffer += bytes }

    mutating func reset() { buffer = [] }

    mutating func next() -> HostFrame? {
        while skipToStartCode() {
            guard buffer.count >= 4 else { return nil }
            let header: Int
            let length: Int
            switch (buffer[2], buffer[3]) {
            case (0x00, 0xFF): return take(4, as: .ack)
            case (0xFF, 0x00): return take(4, as: .nack)
            case (0xFF, 0xFF):
                guard buffer.count >= 7 else { return nil }
                header = 7
                length = buffer[4] &+ buffer[5] &+ buffer[6] == 0 ? Int(buffer[4]) << 8 | Int(buffer[5]) : 0
            case (let len, let lcs):
                header = 4
                length = len &+ lcs == 0 ? Int(len) : 0
            }
            guard (1...HostFrame.maximumLength).contains(length) else { dropStartCode(); continue }
            guard buffer.count > header + length else { return nil }
            guard buffer[header...(header + length)].reduce(0, &+) == 0 else { dropStartCode(); continue }
            return take(header + length + 1, as: .information(Array(buffer[header..<(header + length)])))
        }
        return nil
    }

    /// Discards all bytes before the start code `00 FF`, and returns whether at least two bytes are left.
    private mutating func skipToStartCode() -> Bool {
        let start = buffer.indices.first { index in
            buffer[index] == 0x00 && (index + 1 == buffer.count || buffer[index + 1] == 0xFF)
        }
        buffer.removeFirst(start ?? buffer.count)
        return buffer.count >= 2
    }

    private mutating func dropStartCode() { buffer.removeFirst(2) }

    private mutating func take(_ count: Int, as frame: HostFrame) -> HostFrame {
        buffer.removeFirst(count)
        return frame
    }
}
