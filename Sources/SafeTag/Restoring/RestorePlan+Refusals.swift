// Why a block that a dump would change cannot be written — Docs/CommandLine.md, restore

import TagImage
import TagTypes

extension RestorePlan {
    /// Returns the reason why a block cannot be written, or nil if the memory map shows none.
    static func refusal(
        of block: MemoryMap.Block, _ memory: MemoryMap, _ kind: TagImage.Kind
    ) -> TagError? {
        guard block.bytes != nil else {
            switch kind {
            case .topaz96, .topaz512: return .unsupported(reason: "its block \(block.number) cannot be read")
            case .classic:
                guard let sector = memory.sectors.first(where: { $0.isClosed(block.number) }) else {
                    return .keyNeeded(sector: TagImage.Kind.classicSector(of: block.number))
                }
                if sector.isBlocked { return .readOnly(reason: TagError.blockedReason(sector.number)) }
                let end = sector.access?.trailer.isFrozen ?? false ? ", and can never be changed" : ""
                return .readOnly(
                    reason: "the access bits of sector \(sector.number) let no key read block \(block.number)\(end)")
            case .type5: return .passwordUnsupported(block: block.number)
            case .type2, .type3, .type4, .feliCaLite: return .passwordNeeded(block: block.number)
            }
        }
        if block.role == .configuration, Protection(memory)?.isConfigurationLocked ?? false {
            return .readOnly(
                reason: "its configuration is locked permanently, and block \(block.number) differs from the dump")
        }
        guard block.isLocked, block.role != .lock, block.role != .uid else { return nil }
        return .readOnly(reason: "\(locks(kind)) block \(block.number), which differs from the dump")
    }

    /// Returns the beginning of a clause that names what locks a block of this kind of tag.
    private static func locks(_ kind: TagImage.Kind) -> String {
        switch kind {
        case .classic: "its access bits lock"
        case .feliCaLite: "its memory configuration locks"
        case .type5: "its block locks lock"
        case .topaz96, .topaz512, .type2, .type3, .type4: "its lock bits lock"
        }
    }
}
