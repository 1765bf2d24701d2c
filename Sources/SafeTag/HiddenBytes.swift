// The secret bytes in a tag's memory — Wi-Fi Simple Configuration, Network Key

import Chips
import Hexadecimal
package import TagImage
public import TagTypes

/// Finds the bytes of a tag's memory that contain secrets of the tag's message, so that a program can hide them.
///
/// ```swift
/// let secrets = message.records.flatMap(\.secrets)
/// let hidden = HiddenBytes(of: secrets, in: map)
/// let shown = bytes.indices.map { hidden.contains($0, of: block) ? "**" : bytes[$0].hex }
/// ```
public struct HiddenBytes: Sendable {
    private typealias Place = TagImage.Difference.Place
    private typealias Position = (place: Place, index: Int, byte: UInt8)

    private var positions: [Place: Set<Int>] = [:]

    /// Finds all secrets in a memory, including those that continue across blocks with other contents.
    ///
    /// - Parameters:
    ///   - secrets: the bytes to find, as in `NDEFRecord.secrets`.
    ///   - map: the memory. Only data blocks are searched.
    public init(of secrets: [[UInt8]], in map: MemoryMap) {
        hide(passwords: map.blocks.filter { $0.role == .password }.map { ($0.number, $0.bytes ?? []) })
        guard !secrets.isEmpty else { return }
        let blocks = map.blocks.filter { [.tlv, .ndef, .free].contains($0.role) }
        hide(secrets, in: blocks.flatMap { Self.positions(.block($0.number), $0.bytes ?? []) })
    }

    /// Finds all secrets in an image whose blocks have no known roles, including those of a partly overwritten message.
    package init(of secrets: [[UInt8]], in image: TagImage) {
        if case .type2(let chip?) = image.kind, let blocks = chip.layout?.protection?.secretBlocks {
            hide(passwords: blocks.map { ($0, image[block: $0] ?? []) })
        }
        for stream in Self.streams(image) { hide(secrets, in: stream) }
    }

    package static func secrets(in image: TagImage) -> [[UInt8]] {
        streams(image).flatMap { stream in networkKeys(in: stream.map(\.byte)) }
    }

    /// Whether a byte of a block is hidden.
    ///
    /// `index` counts from 0 within the block.
    public func contains(_ index: Int, of block: MemoryMap.Block) -> Bool { contains(index, of: .block(block.number)) }

    /// Whether a byte of a block or a file is hidden.
    ///
    /// `index` counts from 0 within the block or file.
    package func contains(_ index: Int, of place: TagImage.Difference.Place) -> Bool {
        positions[place]?.contains(index) ?? false
    }

    /// Creates a value that hides nothing.
    public init() {}

    /// Hides a tag's password or key, as a dump contains it.
    ///
    /// Bytes that are all 00, which a tag returns in place of a secret, or all FF, the factory value, are not hidden.
    private mutating func hide(passwords blocks: [(number: Int, bytes: [UInt8])]) {
        for (number, bytes) in blocks where !Set(bytes).isSubset(of: [0x00]) && !Set(bytes).isSubset(of: [0xFF]) {
            positions[.block(number), default: []].formUnion(bytes.indices)
        }
    }

    private mutating func hide(_ secrets: [[UInt8]], in bytes: [Position]) {
        for place in secrets.flatMap(bytes.map(\.byte).places(of:)) {
            for position in bytes[place] { positions[position.place, default: []].insert(position.index) }
        }
    }

    private static func positions(_ place: Place, _ bytes: [UInt8]) -> [Position] {
        bytes.enumerated().map { (place, $0.offset, $0.element) }
    }

    /// Returns the bytes in the order in which a message uses them: those of the data blocks, or those of each file.
    private static func streams(_ image: TagImage) -> [[Position]] {
        let blocks = image.blocks.filter { image.kind.mayHoldMessage($0.number) }
        return [blocks.flatMap { positions(.block($0.number), $0.bytes ?? []) }]
            + image.files.map { positions(.file($0.identifier), $0.bytes) }
    }

    /// Returns the values of the Network Key attributes (1027h) that follow the type of a Wi-Fi record.
    private static func networkKeys(in bytes: [UInt8]) -> [[UInt8]] {
        let type = Array("application/vnd.wfa.wsc".utf8)
        guard bytes.count > type.count,
            let record = (0...bytes.count - type.count).first(where: { bytes[$0...].starts(with: type) })
        else { return [] }
        return (record..<bytes.count).compactMap { start in
            let head = bytes[start...].prefix(4)
            guard head.count == 4, head.starts(with: [0x10, 0x27]) else { return nil }
            let length = Int(bytes[start + 2]) << 8 | Int(bytes[start + 3])
            let key = bytes[(start + 4)...].prefix(length)
            // A key has at most 64 bytes — Wi-Fi Simple Configuration, Network Key.
            return (1...64).contains(length) && !key.isEmpty ? Array(key) : nil
        }
    }
}

extension TagImage.Kind {
    /// Whether a block is for data: it is not a sector trailer, not in the directory of sector 16, and not reserved
    /// on a Topaz.
    fileprivate func mayHoldMessage(_ block: Int) -> Bool {
        switch self {
        case .classic: !Self.isClassicTrailer(block) && Self.classicSector(of: block) != 16
        case .topaz96, .topaz512: !(13...15).contains(block)
        default: true
        }
    }
}
