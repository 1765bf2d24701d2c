// What is secret in a message, and whether it is shown — Wi-Fi Simple Configuration, Network Key

import ArgumentParser
import NDEF
import TagTypes

/// Whether passwords in records are shown to people.
struct SecretOptions: ParsableArguments {
    @Flag(help: "Show the Wi-Fi passwords in records; --json always has them.")
    var showSecrets = false
}

extension NDEFRecord {
    /// The bytes that are hidden on the screen.
    var secrets: [[UInt8]] {
        guard case .wifi(let record) = content else { return [] }
        return record.networks.compactMap(\.networkKey).filter { !$0.isEmpty }
    }
}

/// The bytes of a memory that hold secrets of the message.
struct HiddenBytes {
    /// By block, the positions in it.
    private var positions: [Int: Set<Int>] = [:]

    /// Finds all places, also those that go over blocks with other contents.
    init(of secrets: [[UInt8]], in map: MemoryMap) {
        guard !secrets.isEmpty else { return }
        let bytes = map.blocks.filter { [.tlv, .ndef, .free].contains($0.role) }.flatMap { block in
            (block.bytes ?? []).enumerated().map { (block: block.number, index: $0.offset, byte: $0.element) }
        }
        for secret in secrets where secret.count <= bytes.count {
            for start in 0...bytes.count - secret.count {
                let place = bytes[start..<start + secret.count]
                guard zip(place, secret).allSatisfy({ $0.byte == $1 }) else { continue }
                for position in place { positions[position.block, default: []].insert(position.index) }
            }
        }
    }

    func contains(_ index: Int, of block: MemoryMap.Block) -> Bool { positions[block.number]?.contains(index) ?? false }
}
