// Cards in memory that answer commands and can be written

import ReaderInterface
import SafeTag
import TagImage
import VirtualPN532

@testable import SafeTag
@testable import TagTypes

protocol CardMemory: AnyObject {
    /// Returns the answer to a command, or nil for silence.
    func answer(_ command: [UInt8], _ framing: Framing) -> FrameAnswer?
    /// Resets the card after the field has been off.
    func reset()
}

enum TapedCard: Sendable {
    /// A dump that can also be written.
    case image(TagImage.Kind)
    /// A chip with passwords, counters and locks.
    case virtual(VirtualTagKind)
    case files

    static let all: [TapedCard] =
        ImageSeed.kinds.map(TapedCard.image) + [
            .virtual(.ntag213), .virtual(.ultralightC), .virtual(.ntagI2C1K), .files,
        ]

    func memory() -> any CardMemory {
        switch self {
        case .image(let kind): ImageMemory(ImageSeed.image(kind))
        case .virtual(let kind): VirtualMemory(kind)
        case .files: FileMemory()
        }
    }

    var target: Target {
        switch self {
        case .image(let kind): ImageChannel(ImageSeed.image(kind)).target
        case .virtual: .nfcA(NFCATarget(sensRes: [0x00, 0x44], selRes: 0x00, nfcID1: octets("04A1B2C3D4E580")))
        case .files:
            .nfcA(
                NFCATarget(sensRes: [0x03, 0x44], selRes: 0x20, nfcID1: octets("04112233445566"), ats: [0x00, 0x80]))
        }
    }
}

/// A simulated chip of type A without ISO-DEP.
private final class VirtualMemory: CardMemory {
    private let tag: any VirtualTag

    init(_ kind: VirtualTagKind) {
        tag = kind.make()
        reset()
    }

    func reset() {
        tag.fieldOff()
        guard let tag = tag as? any TypeATag else { return }
        _ = tag.poll(wakeUp: true)
        tag.select()
    }

    func answer(_ command: [UInt8], _ framing: Framing) -> FrameAnswer? {
        switch tag.receive(command).answer {
        case .bytes(let bytes), .bare(let bytes): return .bytes(bytes)
        case .nibble(let nibble):
            // A chip that refuses a command leaves the selected state, and a reader activates it again.
            if nibble != 0xA { reset() }
            return .nibble(nibble)
        case .silence: return nil
        }
    }
}

/// A Type 4 Tag that may be written.
private final class FileMemory: CardMemory {
    private var tag = try? EmulatedType4Tag(message: [0xD0, 0, 0], isWritable: true, capacity: 200)

    func reset() { tag?.reset() }

    func answer(_ command: [UInt8], _ framing: Framing) -> FrameAnswer? {
        (tag?.response(to: command)).map { .bytes($0) }
    }
}

/// The tag of a dump, with the write commands that a dump lacks.
private final class ImageMemory: CardMemory {
    private var image: TagImage
    private var channel: ImageChannel

    init(_ image: TagImage) { (self.image, channel) = (image, ImageChannel(image)) }

    func reset() { try? channel.reselect() }

    func answer(_ command: [UInt8], _ framing: Framing) -> FrameAnswer? {
        guard !command.isEmpty else { return nil }
        if let (number, bytes, answer) = write(command) {
            guard let index = image.blocks.firstIndex(where: { $0.number == number }) else { return .nibble(0) }
            image.blocks[index].bytes = bytes
            let open = channel.openSector
            channel = ImageChannel(image)
            channel.openSector = open
            return answer
        }
        return try? channel.exchangeFrame(command, timeout: .seconds(1))
    }

    private func write(_ command: [UInt8]) -> (number: Int, bytes: [UInt8], answer: FrameAnswer)? {
        switch (image.kind, command[0]) {
        // WRITE-E8 contains the whole block, and WRITE-E and WRITE-NE one byte of it.
        case (.topaz96, 0x54), (.topaz512, 0x54):
            guard command.count >= 10 else { return nil }
            return (Int(command[1]), Array(command[2..<10]), .bytes(Array(command[1..<10])))
        case (.topaz96, 0x53), (.topaz512, 0x53), (.topaz96, 0x1A), (.topaz512, 0x1A):
            guard command.count >= 3, var block = image[block: Int(command[1] >> 3)] else { return nil }
            block[Int(command[1] & 7)] = command[2]
            return (Int(command[1] >> 3), block, .bytes([command[1], command[2]]))
        case (.type2, 0xA2):
            guard command.count == 6 else { return nil }
            return (Int(command[1]), Array(command[2...]), .nibble(0xA))
        case (.classic, 0xA0):
            guard command.count == 18 else { return nil }
            return (Int(command[1]), Array(command[2...]), .bytes([]))
        case (.feliCaLite, _), (.type3, _):
            // Write Without Encryption of one block with a number of one byte.
            guard command.count == 32, command[1] == 0x08, command[13] == 1 else { return nil }
            return (Int(command[15]), Array(command[16...]), .bytes([12, 0x09] + command[2..<10] + [0, 0]))
        case (.type5(let length), _):
            // WRITE SINGLE BLOCK, addressed or not.
            let head = command[0] & 0x20 != 0 ? 10 : 2
            guard command.count == head + 1 + length, command[1] == 0x21 else { return nil }
            return (Int(command[head]), Array(command[(head + 1)...]), .bytes([0]))
        default: return nil
        }
    }
}
