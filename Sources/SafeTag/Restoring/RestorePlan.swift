// The blocks that a restore writes, their order, and those it leaves unchanged — Docs/CommandLine.md, restore

package import TagImage
package import TagTypes

/// A restore, planned before the first write.
package struct RestorePlan: Sendable {
    /// The parts that a restore leaves unchanged unless they are requested.
    package struct Parts: OptionSet, Sendable {
        package let rawValue: Int

        package init(rawValue: Int) { self.rawValue = rawValue }

        /// The blocks with the UID, which can be written only on chips made for copying.
        package static let uid = Parts(rawValue: 1)
        /// Static and dynamic lock bits, which are permanent.
        package static let lockBits = Parts(rawValue: 2)
        /// One-time bits for data: those in the capability container of Type 2, and in block E of Type 1.
        package static let otp = Parts(rawValue: 4)
        /// Configuration, sector trailers, and reserved blocks.
        package static let configuration = Parts(rawValue: 8)
    }

    /// A block to write.
    package struct Write: Hashable, Sendable {
        package let number: Int
        package let bytes: [UInt8]

        package init(number: Int, bytes: [UInt8]) { (self.number, self.bytes) = (number, bytes) }
    }

    /// The order in which blocks are written: data first, and blocks that could prevent further writes last.
    private static let order: [MemoryMap.Role] = [
        .tlv, .ndef, .free, .directory, .reserved, .configuration, .capabilityContainer, .lock, .trailer, .uid,
    ]

    /// The blocks that change, in order.
    package let writes: [Write]
    /// The block that makes the message empty during the restore.
    ///
    /// Nil if there is no message, or if a single write changes it.
    let closedMessage: ClosedMessage?
    /// The blocks that differ from the dump but stay the same, because they were not requested or are never written.
    package let kept: [Int]
    /// The parts that would have to be requested to restore the blocks in ``kept``, as far as they can be restored.
    package let keptParts: Parts
    /// The blocks whose one-time bits the restore sets.
    package var oneTime: [Int] { oneTimeChanges.map(\.block) }
    /// The blocks of the tag that are missing from the dump, except those that cannot be read.
    package let missing: [Int]
    /// The missing blocks, except those of permanently blocked sectors, which hold no message.
    let missingOpen: [Int]
    /// The new protection of the tag by its own password or key, or nil if the protection does not change.
    package let protection: Protection?
    /// Whether the tag will require a password or key after the restore that may still be the public factory one.
    package let mayHaveFactorySecret: Bool
    /// Whether the dump contains a password or key, which no restore writes.
    package let dumpHoldsSecret: Bool
    /// The ways in which the restored tag is less protected than before, as sentences.
    package let losses: [String]
    /// The configuration blocks, reserved blocks and sector trailers that are written.
    package let configuration: [Int]

    /// The sectors of a MIFARE Classic whose keys change.
    package let rekeyed: [Int]
    /// The sectors of a MIFARE Classic whose trailers are written although the dump lacks a key.
    ///
    /// That key stays the same.
    package let keepingKeys: [Int]
    /// The sectors of a MIFARE Classic whose key A would become zeros, which stand for an unknown key in a dump.
    package let zeroKeys: [Int]

    /// The effect on a UID or counter that the chip mirrors.
    package let mirror: MirrorOutcome
    let mirrors: RestoreMirror
    let replaced: [Int]
    /// Whether any of the data blocks in ``replaced`` holds anything other than zeros.
    let replacesData: Bool
    /// The one-time bits that the restore sets, with descriptions.
    package let oneTimeChanges: [OneTimeChange]
    /// The read-only mark that the restore sets, or removes without a request for lock bits, or nil if there is none.
    package let mark: ReadOnlyMark?
    /// The lock bits of the dump that are already set on the tag, if lock bits are restored.
    let locksHeld: [OneTimeChange]
    /// The blocks of the future message that are missing from the dump.
    ///
    /// They keep their current content.
    package let mixed: [Int]

    /// Plans the restore of a dump of the same chip to a tag with this memory.
    ///
    /// A mirror on the tag must be turned off before the writes; see ``mirror``.
    /// - Parameters:
    ///   - image: the dump.
    ///   - memory: the memory of the tag, with the known keys of a MIFARE Classic in its trailers.
    ///   - parts: the parts to write besides the data, such as lock bits or configuration.
    ///   - credential: the password or key that opened the tag, or nil if none did.
    ///   - isOwn: whether the dump is from this very tag.
    /// - Throws: ``TagError/readOnly(reason:mayBeRestored:)``, ``TagError/passwordNeeded(block:)``,
    ///   ``TagError/keyNeeded(sector:)``, ``TagError/unsupported(reason:)`` for a block that the reader cannot reach.
    package init(
        _ image: TagImage, to memory: MemoryMap, parts: Parts, openedBy credential: Type2Credential? = nil,
        isOwn: Bool = false
    ) throws(TagError) {
        if memory.sun?.isOn ?? false { throw .signedMessage }
        if memory.hasUnknownSUN { throw .unknownSUNMessage }
        // Undocumented blocks of an NTAG 22x DNA stay unchanged, because they include passwords and keys.
        let parts = memory.sun == nil ? parts : parts.subtracting([.configuration, .lockBits])
        let closed = credential == nil ? Protection(memory) : nil
        let mirrors = RestoreMirror(image, memory, isOwn: isOwn)
        let returned = parts.contains(.configuration) ? nil : mirrors.returned
        let image = mirrors.stored(image)
        var choice = try Choice(image, mirrors.stored(memory), parts, closed)
        var outcome = MirrorOutcome()
        let isOtherMirror = returned != nil && !mirrors.isSame
        if let present = mirrors.present, !choice.chosen.isEmpty || isOtherMirror {
            outcome.turnedOff = present.content
            // The bytes underneath mirrored content are not known, so blocks with such content are always written.
            choice = try Choice(
                image, mirrors.isSame && returned != nil ? memory : mirrors.turnedOff(memory), parts, closed,
                forced: mirrors.shownBlocks)
        }
        if let returned, outcome.turnedOff != nil || isOtherMirror,
            let block = memory.blocks.first(where: { $0.number == returned.number })
        {
            choice.add(returned, BlockRule(block, in: image), image)
        }
        if mirrors.isSame || returned != nil || parts.contains(.configuration) {
            let isWritten = choice.chosen.contains { $0.write.number == mirrors.configurationBlock }
            outcome.shown = isWritten ? mirrors.dumped?.content : nil
        } else {
            outcome.lacking = mirrors.dumped?.content
        }
        let (chosen, kept) = (choice.chosen, choice.kept)
        let opening = Self.openingTrailers(chosen.map(\.write), memory)
        let ordered = Self.order.flatMap { role in chosen.filter { $0.rule.role == role }.map(\.write) }
            .filter { !opening.contains($0.number) }
        let writes =
            chosen.map(\.write).filter { opening.contains($0.number) }
            + Self.messageLast(ordered, memory, image.kind)
        self.writes = writes
        closedMessage = ClosedMessage(before: writes, memory, image.kind) { !(closed?.covers($0) ?? false) }
        self.kept = kept
        keptParts = memory.blocks.filter { kept.contains($0.number) }.reduce(Parts()) { all, block in
            guard let dumped = image[block: block.number] else { return all }
            return all.union(BlockRule(block, in: image).partsThatChange(to: dumped))
        }.subtracting(parts)
        mirror = outcome
        self.mirrors = mirrors
        oneTimeChanges = chosen.filter { $0.rule.setsOneTimeBits($0.write.bytes) }.map(\.write).compactMap { write in
            memory.blocks.first { $0.number == write.number }.map {
                OneTimeChange($0, to: write.bytes, of: memory, kind: image.kind)
            }
        }
        mark =
            writes.lazy.compactMap { write in
                memory.blocks.first { $0.number == write.number }
                    .flatMap { ReadOnlyMark($0, to: write.bytes, kind: image.kind) }
            }.first { !$0.isRemoved || !parts.contains(.lockBits) }
        locksHeld = parts.contains(.lockBits) ? Self.locksHeld(image, memory) : []
        let asked: Set<MemoryMap.Role> = [.configuration, .reserved, .trailer]
        configuration = chosen.filter { choice in
            asked.contains(choice.rule.role) && choice.write != returned
                && memory.blocks.contains { $0.number == choice.write.number && $0.bytes != choice.write.bytes }
        }.map(\.write.number)
        rekeyed = chosen.filter { $0.rule.changesKeys($0.write.bytes) }
            .map { TagImage.Kind.classicSector(of: $0.write.number) }
        keepingKeys = chosen.filter { $0.rule.role == .trailer }
            .map { TagImage.Kind.classicSector(of: $0.write.number) }
            .filter { image.keys[$0]?.a == nil || image.keys[$0]?.b == nil }
        zeroKeys = chosen.filter { $0.rule.role == .trailer && $0.write.bytes.prefix(6).allSatisfy { $0 == 0 } }
            .map { TagImage.Kind.classicSector(of: $0.write.number) }.sorted()
        missing = memory.blocks.map(\.number).filter { number in
            image[block: number] == nil && !image.kind.isChangedByChip(number) && !kept.contains(number)
                && memory.blocks.contains { $0.number == number && $0.role != .password }
        }
        let blocked = Set(memory.sectors.filter(\.isBlocked).flatMap(\.blocks))
        missingOpen = missing.filter { !blocked.contains($0) }
        let data = memory.blocks.filter { block in
            MessageReach.data.contains(block.role) && writes.contains { $0.number == block.number }
        }
        replaced = data.map(\.number)
        replacesData = data.contains { $0.bytes?.contains { $0 != 0 } ?? true }
        mixed = MessageReach(memory, after: writes, kind: image.kind).mixed(missingOpen)
        let (present, after) = (Protection(memory), Self.protection(of: memory, after: writes))
        protection = after.flatMap { $0.isActive && $0.rules != present?.rules ? $0 : nil }
        mayHaveFactorySecret = protection != nil && credential == nil && !(present?.isActive ?? false)
        dumpHoldsSecret = memory.blocks.contains { block in
            block.role == .password && image[block: block.number]?.contains { $0 != 0 } ?? false
        }
        losses = present.flatMap { present in after.map { $0.losses(against: present) } } ?? []
    }

    /// Returns the trailers of a MIFARE Classic that must be written before the data of their sectors, because only the
    /// new access bits allow writing that data.
    private static func openingTrailers(_ writes: [Write], _ memory: MemoryMap) -> Set<Int> {
        let locked = Set(memory.blocks.filter(\.isLocked).map(\.number))
        return Set(
            memory.sectors.compactMap { sector in
                let trailer = sector.blocks.upperBound - 1
                let isNeeded = writes.contains {
                    $0.number != trailer && sector.blocks.contains($0.number) && locked.contains($0.number)
                }
                return isNeeded && writes.contains { $0.number == trailer } ? trailer : nil
            })
    }

    /// Whether a block of a MIFARE Classic is locked only until its trailer is restored.
    fileprivate static func isUnlockedByRestore(
        _ block: MemoryMap.Block, _ memory: MemoryMap, _ image: TagImage, _ parts: Parts
    ) -> Bool {
        guard parts.contains(.configuration), block.role != .trailer,
            let sector = memory.sectors.first(where: { $0.blocks.contains(block.number) }),
            let trailer = memory.blocks.first(where: { $0.number == sector.blocks.upperBound - 1 }), !trailer.isLocked,
            let new = image[block: trailer.number], new.count == 16, let access = ClassicAccess(new[6..<9])
        else { return false }
        let size = max(1, (sector.blocks.count - 1) / 3)
        return !access.keys(.write, .data((block.number - sector.blocks.lowerBound) / size)).isEmpty
    }

    private static func locksHeld(_ image: TagImage, _ memory: MemoryMap) -> [OneTimeChange] {
        memory.blocks.filter { $0.role == .lock }.compactMap { block in
            guard let present = block.bytes, let dumped = image[block: block.number], dumped.count == present.count
            else {
                return nil
            }
            var open = block
            open.bytes = [UInt8](repeating: 0, count: present.count)
            let change = OneTimeChange(open, to: zip(present, dumped).map { $0 & $1 }, of: memory, kind: image.kind)
            return change.locked.isEmpty && change.untriable.isEmpty ? nil : change
        }
    }

    /// The blocks of a dump that are written, and those that stay the same.
    private struct Choice {
        var chosen: [(rule: BlockRule, write: Write)] = []
        private(set) var kept: [Int] = []

        /// Adds a write of a block that was not requested.
        mutating func add(_ write: Write, _ rule: BlockRule, _ image: TagImage) {
            chosen.append((rule, write))
            if image[block: write.number] == write.bytes { kept.removeAll { $0 == write.number } }
        }

        /// Chooses the blocks to write: those that differ, and those in `forced` even if they seem to match the dump.
        ///
        /// - Throws: the reason why a block that differs cannot be written. If there are several such blocks, the first
        ///   counts.
        init(
            _ image: TagImage, _ memory: MemoryMap, _ parts: Parts, _ closed: Protection?, forced: Set<Int> = []
        ) throws(TagError) {
            let mark = Type3Mark(memory, image, parts)
            for block in memory.blocks {
                guard let dumped = image[block: block.number], !image.kind.isChangedByChip(block.number) else {
                    continue
                }
                let rule = BlockRule(block, in: image)
                let wanted = rule.withoutUnknownKeys(dumped)
                guard let allowed = rule.bytes(wanted, parts: parts) else {
                    if wanted != block.bytes { kept.append(block.number) }
                    continue
                }
                guard allowed != block.bytes || forced.contains(block.number) && !block.isLocked else {
                    if rule.hasBitsBeyond(wanted) { kept.append(block.number) }
                    continue
                }
                if closed?.covers(block.number) ?? false { throw .passwordNeeded(block: block.number) }
                if let refusal = RestorePlan.refusal(of: block, memory, image.kind),
                    block.bytes == nil || !RestorePlan.isUnlockedByRestore(block, memory, image, parts)
                {
                    throw refusal
                }
                if mark.isKept { throw mark.refusal }
                chosen.append((rule, Write(number: block.number, bytes: allowed)))
            }
        }
    }

    /// Returns the new protection of the tag after these writes, or nil if it does not change or there is none.
    private static func protection(of memory: MemoryMap, after writes: [Write]) -> Protection? {
        // AUTH0 is the last byte of CFG0, and ACCESS is the first byte of CFG1. On an Ultralight C, AUTH0 is the first
        // byte of block 42, and AUTH1 is the first byte of block 43.
        let blocks = memory.blocks.filter { $0.role == .configuration }.prefix(2).map { block in
            writes.first { $0.number == block.number }?.bytes ?? block.bytes ?? []
        }
        guard blocks.count == 2, blocks.allSatisfy({ $0.count == 4 }) else { return nil }
        var after = memory
        after.password?.auth0 = blocks[0][3]
        after.password?.access = blocks[1][0]
        after.key = memory.key.flatMap { key in
            MemoryMap.KeyProtection(
                auth0: blocks[0][key.isAES ? 3 : 0], configuration: blocks[1], isAES: key.isAES)
        }
        return Protection(after)
    }
}

/// The mark that makes a Type 3 Tag read-only, which is its only lock — NFC Forum T3T, RWFlag.
private struct Type3Mark {
    /// Whether the tag has the mark and the restore leaves it unchanged.
    let isKept: Bool

    init(_ memory: MemoryMap, _ image: TagImage, _ parts: RestorePlan.Parts) {
        let (attributes, wanted) = (memory.capabilityContainer, image[block: 0])
        let isType3 = image.kind == .type3 || image.kind == .feliCaLite
        let isTakenOff = parts.contains(.lockBits) && BlockRule.allowsWriting(wanted ?? [])
        isKept = isType3 && attributes.count == 16 && !BlockRule.allowsWriting(attributes) && !isTakenOff
    }

    var refusal: TagError {
        .readOnly(
            reason: "its attribute information block marks it as read-only (RWFlag 00), and the dump differs from it")
    }
}
