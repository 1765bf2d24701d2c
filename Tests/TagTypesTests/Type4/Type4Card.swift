// A Type 4 Tag kept in memory, for exchanges and interruptions
import ReaderInterface

/// An NDEF tag application with a CC file and one NDEF file.
final class Type4Card: Card {
    var cc: [UInt8]
    var ndef: [UInt8]
    var isCCWritable = false
    /// Whether the capability container itself can no longer be written when it forbids writing.
    var closesCC = false
    /// Whether the card refuses writes that its capability container forbids.
    var isHeeding = true
    private let fileID: UInt16
    private let mle: Int
    private let mlc: Int
    private var isApplicationSelected = false
    private var selected: UInt16?

    init(
        mle: Int = 255, mlc: Int = 255, size: Int = 2048, message: [UInt8] = [], isExtended: Bool = false,
        write: UInt8 = 0
    ) {
        self.mle = mle
        self.mlc = mlc
        fileID = 0xE104
        let limits = [UInt8(mle >> 8), UInt8(mle & 0xFF), UInt8(mlc >> 8), UInt8(mlc & 0xFF)]
        let length = (0..<(isExtended ? 4 : 2)).reversed().map { UInt8(size >> ($0 * 8) & 0xFF) }
        cc = [0x00, isExtended ? 0x11 : 0x0F, isExtended ? 0x30 : 0x20] + limits
        cc += [isExtended ? 0x06 : 0x04, isExtended ? 0x08 : 0x06, 0xE1, 0x04] + length + [0x00, write]
        ndef = (0..<length.count).reversed().map { UInt8(message.count >> ($0 * 8) & 0xFF) } + message
        ndef += Array(repeating: 0, count: size - ndef.count)
    }

    func reset() {
        isApplicationSelected = false
        selected = nil
    }

    func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
        guard framing == .handled, command.count >= 4 else { return nil }
        let p = Int(command[2]) << 8 | Int(command[3])
        let data = command.count > 5 ? Array(command.dropFirst(5).prefix(Int(command[4]))) : []
        switch command[1] {
        case 0xA4: return select(p, data)
        case 0xB0: return read(at: p, count: command.last.map { $0 == 0 ? 256 : Int($0) } ?? 0)
        case 0xB1 where data.prefix(2) == [0x54, 0x03]:
            return read(at: offset(data), count: command.last.map { $0 == 0 ? 256 : Int($0) } ?? 0)
        case 0xD6: return data.count > mlc ? bytes("6700") : update(at: p, data)
        case 0xD7 where data.prefix(2) == [0x54, 0x03] && data.count <= mlc && Int(data[6]) == data.count - 7:
            return update(at: offset(data), Array(data[7...]))
        default: return bytes("6D00")
        }
    }

    private func offset(_ data: [UInt8]) -> Int { Int(data[2]) << 16 | Int(data[3]) << 8 | Int(data[4]) }

    private func select(_ p: Int, _ data: [UInt8]) -> [UInt8] {
        if p == 0x0400 {
            isApplicationSelected = data == bytes("D2760000850101")
            return bytes(isApplicationSelected ? "9000" : "6A82")
        }
        guard isApplicationSelected, data.count == 2 else { return bytes("6A82") }
        let file = UInt16(data[0]) << 8 | UInt16(data[1])
        guard file == 0xE103 || file == fileID else { return bytes("6A82") }
        selected = file
        return bytes("9000")
    }

    private func read(at offset: Int, count: Int) -> [UInt8] {
        guard let selected else { return bytes("6986") }
        let file = selected == fileID ? ndef : cc
        guard count <= mle else { return bytes("6700") }
        guard offset < file.count else { return bytes("6B00") }
        return Array(file[offset..<min(offset + count, file.count)]) + bytes("9000")
    }

    private func update(at offset: Int, _ data: [UInt8]) -> [UInt8] {
        guard let selected else { return bytes("6986") }
        if selected == fileID {
            // The capability container decides.
            guard cc.last == 0x00 || !isHeeding else { return bytes("6982") }
            guard offset + data.count <= ndef.count else { return bytes("6A84") }
            ndef.replaceSubrange(offset..<offset + data.count, with: data)
        } else {
            guard isCCWritable, !closesCC || cc.last == 0x00, offset + data.count <= cc.count else {
                return bytes("6982")
            }
            cc.replaceSubrange(offset..<offset + data.count, with: data)
        }
        return bytes("9000")
    }
}
