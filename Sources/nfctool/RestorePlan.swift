// Which blocks a restore writes, in which order, and which it leaves alone — CLI.md, restore

import TagImage
import TagTypes

/// A restore, decided before the first write.
struct RestorePlan: Sendable {
    /// What a restore leaves alone unless it is asked for.
    struct Parts: OptionSet, Sendable {
        let rawValue: Int
        /// The blocks with the UID, which only chips made for copying let be written.
        static let uid = Parts(rawValue: 1)
        /// Static and dynamic lock bits, for ever.
        static let lockBits = Parts(rawValue: 2)
        /// The capability container's one-time bits.
        static let otp = Parts(rawValue: 4)
        /// Configuration, and what is reserved.
        static let configuration = Parts(rawValue: 8)
    }

    /// A block to write.
    struct Write: Hashable, Sendable {
        let number: Int
        let bytes: [UInt8]
    }

    /// Data first, what could forbid it last.
    private static let order: [MemoryMap.Role] = [
        .tlv, .ndef, .free, .directory, .reserved, .configuration, .capabilityContainer, .lock, .trailer, .uid,
    ]

    /// The blocks to write, in order.
    let writes: [Write]
    /// The blocks that differ from the dump and stay as they are: not asked for, or never written.
    let kept: [Int]
    /// The blocks whose one-time bits the restore sets.
    let oneTime: [Int]
    /// Configuration blocks among the writes.
    let configuration: [Int]

    /// Plans the restore of a dump of the same chip to a tag with this memory.
    ///
    /// - Throws: ``TagError/readOnly(reason:)``, ``TagError/passwordNeeded(block:)``.
    init(_ image: TagImage, to memory: MemoryMap, parts: Parts) throws(TagError) {
        var chosen: [(role: MemoryMap.Role, write: Write)] = []
        var kept: [Int] = []
        for block in memory.blocks {
            guard let wanted = image[block: block.number] else { continue }
            guard let part = Self.part(of: block.role), parts.isSuperset(of: part) else {
                if wanted != block.bytes { kept.append(block.number) }
                continue
            }
            let bytes = Self.bytes(wanted, over: block)
            guard bytes != block.bytes else { continue }
            if let refusal = Self.refusal(of: block, memory) { throw refusal }
            chosen.append((block.role, Write(number: block.number, bytes: bytes)))
        }
        writes = Self.order.flatMap { role in chosen.filter { $0.role == role }.map(\.write) }
        self.kept = kept
        oneTime = chosen.filter { $0.role == .lock || $0.role == .capabilityContainer }.map(\.write.number)
        configuration = chosen.filter { $0.role == .configuration }.map(\.write.number)
    }

    /// Why a block cannot be written, as far as the memory tells.
    private static func refusal(of block: MemoryMap.Block, _ memory: MemoryMap) -> TagError? {
        guard block.bytes != nil, block.number < memory.password.map({ Int($0.auth0) }) ?? .max else {
            return .passwordNeeded(block: block.number)
        }
        if block.role == .configuration, memory.password?.isConfigurationLocked ?? false {
            return .readOnly(
                reason: "its configuration is locked for ever, and block \(block.number) differs from the dump")
        }
        guard block.isLocked, block.role != .lock, block.role != .uid else { return nil }
        return .readOnly(reason: "its lock bits lock block \(block.number), which differs from the dump")
    }

    /// What must be asked for to write a block; `nil` where nothing helps.
    private static func part(of role: MemoryMap.Role) -> Parts? {
        switch role {
        case .tlv, .ndef, .free, .directory: []
        case .uid: .uid
        case .lock: .lockBits
        case .capabilityContainer: .otp
        // On a chip we do not know, configuration is among them.
        case .configuration, .reserved, .trailer: .configuration
        // A dump has zeros for a password, and a counter only counts.
        case .password, .counter: nil
        }
    }

    /// The bytes to write: one-time bits can only be added, and what else is in the block stays as it is.
    private static func bytes(_ wanted: [UInt8], over block: MemoryMap.Block) -> [UInt8] {
        guard let present = block.bytes else { return wanted }
        switch block.role {
        case .capabilityContainer: return zip(present, wanted).map { $0 | $1 }
        // Block 2 begins with a check byte of the UID and a byte of the chip's; byte 3 of dynamic lock bits is RFU.
        case .lock:
            let bits = block.number == 2 ? 2..<4 : 0..<3
            return present.indices.map { bits.contains($0) ? present[$0] | wanted[$0] : present[$0] }
        default: return wanted
        }
    }
}
