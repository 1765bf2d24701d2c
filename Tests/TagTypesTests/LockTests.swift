// Locks that are planned from known facts, carried out as planned, and verified by their effect
import Chips
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct LockTests {
    /// Returns a tag with the layout of an NTAG215 and the vendor byte of another manufacturer.
    private func foreign215(tlvs: [UInt8] = tlv(message(100))) -> Type2Card {
        Type2Card(blocks: 135, cc: "E1103E00", version: "0053040201001103", tlvs: tlvs)
    }

    private func lock(_ card: any Card) throws(TagError) { try tag(card).makeReadOnly() }

    private func tag(_ card: any Card) -> Type2Tag { Type2Tag(on: RecordingChannel(card), patience: .instant) }

    @Test("An unknown chip without a Lock Control TLV is not locked by guessing") func unknownChip() {
        let card = foreign215()
        #expect(
            error { () throws(TagError) in try lock(card) }
                == .cannotMakeReadOnly(
                    reason:
                        "its chip is not known, and it has no Lock Control TLV, so the place of the lock bits of blocks 16 to 127 is unknown"
                ))
        #expect(card.writes.isEmpty)
    }

    @Test("The check whether a tag without a message can be locked writes nothing")
    func foreseenOnABlankTag() throws {
        for (tlvs, isLockable) in [("", false), ("0103A00C34", true)] {
            let card = Type2Card(blocks: 45, cc: "E1101200", version: nil, tlvs: bytes(tlvs))
            #expect(try tag(card).detect().isBlank)
            let failure = error { () throws(TagError) in try tag(card).requireEnforcedLock() }
            if isLockable {
                #expect(failure == nil)
            } else {
                #expect(failure?.description.contains("16 to 39") == true)
            }
            #expect(card.writes.isEmpty)
        }
        try tag(Type2Card(blocks: 20, cc: "00000000", version: nil, tlvs: [])).requireEnforcedLock()
    }

    @Test("An unknown chip is locked if static lock bits cover all data") func smallUnknownChip() throws {
        let card = Type2Card(blocks: 20, cc: "E1100600", version: nil, tlvs: tlv(message(10)))
        try lock(card)
        #expect((3..<16).allSatisfy { card.answer([0xA2, UInt8($0), 0, 0, 0, 0], framing: .handled) == nil })
    }

    @Test("An unknown chip is locked as its Lock Control TLV says") func describedUnknownChip() throws {
        let card = Type2Card(
            blocks: 45, cc: "E1101200", version: nil, tlvs: bytes("0103A00C34") + tlv(message(10)))
        let plan = try tag(card).planLock()
        #expect(plan.permanence == .unknown)
        try tag(card).carryOut(plan)
        #expect((3..<40).allSatisfy { card.answer([0xA2, UInt8($0), 0, 0, 0, 0], framing: .handled) == nil })
    }

    @Test(
        "Lock bits of a Lock Control TLV that do not cover the data, or lie in it, are refused",
        arguments: ["0103A00634", "0103900C34"])
    func badDescription(control: String) {
        let card = Type2Card(blocks: 45, cc: "E1101200", version: nil, tlvs: bytes(control) + tlv(message(10)))
        guard case .cannotMakeReadOnly? = error({ () throws(TagError) in try lock(card) }) else {
            Issue.record("locked at a guess")
            return
        }
        #expect(card.writes.isEmpty)
    }

    @Test(
        "A lock that block-locking bits make impossible is refused before its first bit is set",
        arguments: [
            ([10: 0x06], "blocks 4 to 15"), ([10: 0x01], "block 3"), ([162: 0x3F], "blocks 16 to 39"),
            ([10: 0x02, 162: 0x21], "blocks 4 to 9, blocks 16 to 19, blocks 36 to 39"),
            ([10: 0x04, 160: 0x03, 162: 0x03], "blocks 10 to 15 and blocks 20 to 23"),
        ] as [([Int: UInt8], String)])
    func frozenLockBits(set bits: [Int: UInt8], blocks: String) {
        for tlvs in [tlv(message(10)), []] {
            let card = Type2Card.ntag213(tlvs)
            for (address, byte) in bits { card.memory[address] |= byte }
            let refusal = TagError.cannotMakeReadOnly(
                reason: "its block-locking bits are set, so the lock bits of \(blocks) can never be set")
            #expect(error { () throws(TagError) in try tag(card).requireLock() } == refusal)
            #expect(error { () throws(TagError) in try tag(card).requireEnforcedLock() } == refusal)
            if !tlvs.isEmpty { #expect(error { () throws(TagError) in try lock(card) } == refusal) }
            #expect(card.writes.isEmpty)
        }
    }

    @Test("A tag without a capability container whose lock bits are frozen cannot be locked")
    func frozenLockBitsOfAnUninitialisedTag() {
        let card = Type2Card(blocks: 45, cc: "00000000", version: "0004040201000F03", tlvs: [])
        card.memory[162] = 0x01
        #expect(
            error { () throws(TagError) in try tag(card).requireLock() }?.description.contains("16 to 19") == true)
    }

    @Test("Block-locking bits over lock bits that are set do not stop a lock") func frozenAndLocked() throws {
        let card = Type2Card.ntag213(tlv(message(10)))
        // Blocks 4 to 9 are locked and frozen, and so are blocks 16 to 19.
        (card.memory[10], card.memory[11]) = (0xF2, 0x03)
        (card.memory[160], card.memory[162]) = (0x03, 0x01)
        #expect(try tag(card).isLockSet() == false)
        try lock(card)
        #expect(try tag(card).isLockSet() == true)
    }

    @Test(
        "A locked capability container is left unchanged, and the rest of the tag is locked",
        arguments: [[10: 0xF8, 11: 0xFF], [10: 0x08], [10: 0x09]] as [[Int: UInt8]])
    func lockedContainer(set bits: [Int: UInt8]) throws {
        let card = Type2Card.ntag213(tlv(message(10)))
        for (address, byte) in bits { card.memory[address] |= byte }
        let plan = try tag(card).planLock()
        #expect(!plan.steps.map(\.name).contains("write access"))
        try tag(card).requireLock()
        try tag(card).requireEnforcedLock()
        try lock(card)
        #expect((3..<40).allSatisfy { card.answer([0xA2, UInt8($0), 0, 0, 0, 0], framing: .handled) == nil })
        #expect(Array(card.memory[12..<16]) == bytes("E1101200"))
        #expect(try tag(card).detect().status == .readOnly)
        #expect(try tag(card).isLockSet() == true)
        #expect(try tag(card).planLock().isEmpty)
    }

    @Test("Each block-locking bit freezes the lock bits that the data sheets name") func freezers() throws {
        let fourBlocks = try #require(ChipModel.ultralightC.layout?.dynamicLock)
        #expect([16, 27, 28, 39].map { fourBlocks.freezer(of: $0) } == [0, 0, 4, 4])
        let ntag215 = try #require(ChipModel.ntag215.layout?.dynamicLock)
        #expect([16, 47, 48, 129].map { ntag215.freezer(of: $0) } == [16, 16, 17, 19])
        let st = try #require(ChipModel.st25TN01K.layout?.dynamicLock)
        #expect(st.freezer(of: 16) == 24 && st.freezer(of: 0x2D) == nil)
    }

    @Test("Lock bits without an effect are reported") func noEffect() {
        let card = Type2Card(
            blocks: 45, cc: "E1101200", version: nil, tlvs: bytes("0103A00C34") + tlv(message(10)))
        card.hasDynamicLock = false
        let failure = error { () throws(TagError) in try lock(card) }
        guard case .lockInterrupted(let done, [], .lockWithoutEffect("block 16"))? = failure else {
            Issue.record("\(String(describing: failure))")
            return
        }
        #expect(done.contains("dynamic lock bits"))
        #expect(failure?.description.hasPrefix("The lock bits are set, but block 16 can still be written.") == true)
        // All bits now read as set, which does not prove the lock.
        #expect(error { () throws(TagError) in try lock(card) } == .lockWithoutEffect(place: "block 16"))
    }

    @Test("A locked tag is verified to be locked, and nothing is set") func lockedAlready() throws {
        let card = Type2Card.ntag213(tlv(message(10)))
        try lock(card)
        let (memory, writes) = (card.memory, card.writes)
        try lock(card)
        #expect(card.memory == memory && card.writes == writes)
    }

    @Test("A tag that changes while it is locked is reported") func changedByLock() {
        let card = MeddlingCard(.ntag213(tlv(message(10))))
        guard
            case .lockInterrupted(_, [], .changedByLock("block 20"))? = error({ () throws(TagError) in try lock(card) })
        else {
            Issue.record("a changed block was not noticed")
            return
        }
    }

    @Test("On an unknown chip, all data is compared after a lock") func changedByLockOnUnknownChip() throws {
        let card = MeddlingCard(
            Type2Card(blocks: 45, cc: "E1101200", version: nil, tlvs: bytes("0103A00C34") + tlv(message(10))))
        let plan = try tag(card).planLock()
        guard
            case .lockInterrupted(_, [], .changedByLock("block 20"))? = error({ () throws(TagError) in
                try tag(card).carryOut(plan)
            })
        else {
            Issue.record("a changed block was not noticed")
            return
        }
    }

    @Test("Nothing is written if the tag differs from the plan") func changedSincePlanned() throws {
        let card = Type2Card.ntag213(tlv(message(10)))
        let plan = try tag(card).planLock()
        card.memory[11] = 0x80
        #expect(
            error { () throws(TagError) in try tag(card).carryOut(plan) }
                == .changedSincePlanned(place: "block 2", found: bytes("72480080"), expected: bytes("72480000")))
        #expect(card.writes.isEmpty)
    }

    @Test("A plan keeps its places even if the chip is no longer known") func samePlan() throws {
        let plan = try tag(Type2Card.ntag215(tlv(message(100)))).planLock()
        #expect(plan.steps.map(\.place) == ["block 3", "block 2", "block 2", "block 130", "block 130"])
        #expect(plan.permanence == .permanent)
        // On the same tag, whose chip no longer identifies itself, the places come from the plan.
        let mute = MuteCard(Type2Card.ntag215(tlv(message(100))), to: { $0[0] == 0x60 })
        let channel = RecordingChannel(mute)
        try Type2Tag(on: channel, patience: .instant).carryOut(plan)
        #expect(Set(channel.commands.filter { $0[0] == 0xA2 }.map { $0[1] }.prefix(5)) == [2, 3, 130])
    }

    @Test("A step starts from the result of the previous one") func chainedSteps() throws {
        let steps = try tag(Type2Card.ntag213(tlv(message(10)))).planLock().steps
        #expect(steps[1].new == steps[2].old)
    }

    @Test(
        "A missing answer or a transmission error at a locked block does not prove the lock",
        arguments: [NoisyChannel.Fate.lost, .misunderstood])
    func silentProof(fate: NoisyChannel.Fate) {
        let card = Type2Card.ntag213(tlv(message(10)))
        var isLocked = false
        let channel = NoisyChannel(card) { command, _, _ in
            if command[0] == 0xA2, command[1] == 40 { isLocked = true }
            return isLocked && command[0] == 0xA2 && command[1] == 20 ? fate : .delivered
        }
        guard
            case .lockInterrupted(_, [], .noReliableAnswer("WRITE", 80))? = error({ () throws(TagError) in
                try Type2Tag(on: channel, patience: .instant).makeReadOnly()
            })
        else {
            Issue.record("noise was taken for a refusal")
            return
        }
    }

    @Test("A lock leaves settings open that neither lock bits nor CFGLCK nor a password protect")
    func openConfiguration() throws {
        func open(_ card: ChipCard, _ block: Int? = nil, _ bytes: [UInt8] = []) throws -> OpenConfiguration? {
            if let block { card.blocks[block] = bytes }
            let tag = Type2Tag(on: RecordingChannel(card), patience: .instant)
            _ = try tag.detect()
            return tag.configurationOpenWhenLocked
        }
        #expect(try open(.ntag213()) == OpenConfiguration(blocks: 41...44, usesKey: false, canMirror: true))
        #expect(try open(.ev1()) == OpenConfiguration(blocks: 37...40, usesKey: false, canMirror: false))
        let key = OpenConfiguration(blocks: 42...47, usesKey: true, canMirror: false)
        #expect(try open(.ultralightC()) == key)
        #expect(try open(.ultralightC(), 42, [0x2B, 0, 0, 0]) == key)
        #expect(try open(.ultralightAES()) == OpenConfiguration(blocks: 41...51, usesKey: true, canMirror: false))
        #expect(try open(.ntag203()) == nil)
        // CFGLCK; AUTH0 over the configuration; lock bit 13, which locks block 42.
        #expect(try open(.ntag213(), 42, [0x40, 0, 0, 0]) == nil)
        #expect(try open(.ntag213(), 41, [0x04, 0, 0, 41]) == nil)
        #expect(try open(.ultralightC(), 42, [0x2A, 0, 0, 0]) == nil)
        #expect(try open(.ultralightC(), 40, [0x00, 0x20, 0, 0]) == nil)
    }

    @Test("The lock of an NTAG I2C applies only to access over NFC") func i2c() throws {
        let tag = Type2Tag(on: RecordingChannel(ChipCard.ntagI2C2k()), patience: .instant)
        let plan = try tag.planLock()
        #expect(plan.permanence == .unknown)
        #expect(tag.lockGaps == [.i2c])
        #expect(plan.steps.contains { $0.effect.description == "blocks 3 to 15 can no longer be written over NFC" })
        #expect(plan.steps.allSatisfy { !$0.effect.description.contains("never") })
    }

    // MARK: Other types

    @Test("A step that only sets a flag can be undone") func permanence() throws {
        let type4 = Type4Card(message: message(5))
        #expect(try Type4Tag(on: RecordingChannel(type4, target: .type4)).planLock().permanence == .unknown)
        let generic = RecordingChannel(Type3Card.generic(message(5)), target: .type3)
        #expect(try Type3Tag(on: generic).planLock().permanence == .reversible)
        let lite = RecordingChannel(Type3Card.liteS(message(5)), target: .liteS)
        #expect(try Type3Tag(on: lite).planLock().permanence == .permanent)
        let topaz = RecordingChannel(Type1Card.topaz96(message(5)), target: .type1)
        #expect(try Type1Tag(on: topaz).planLock().permanence == .permanent)
    }

    @Test("A Type 4 Tag that still accepts writes is reported") func type4WithoutEffect() {
        let card = Type4Card(message: message(5))
        (card.isCCWritable, card.isHeeding) = (true, false)
        guard
            case .lockInterrupted(["write access"], [], .lockWithoutEffect("file E104"))? = error({
                () throws(TagError) in
                try Type4Tag(on: RecordingChannel(card, target: .type4)).makeReadOnly()
            })
        else {
            Issue.record("a lock without effect passed")
            return
        }
    }

    @Test("A Type 4 Tag is locked even if the answer to the locking write was lost") func type4LostAnswer() throws {
        let card = Type4Card(message: message(5))
        (card.isCCWritable, card.closesCC) = (true, true)
        var isLost = false
        let channel = NoisyChannel(card, target: .type4) { command, length, _ in
            guard !isLost, length > 0, command.starts(with: [0x00, 0xD6, 0x00, 0x0E]) else { return .delivered }
            isLost = true
            return .lost
        }
        try Type4Tag(on: channel, patience: .instant).makeReadOnly()
        #expect(isLost && card.cc.last == 0xFF)
    }

    @Test(
        "Before a write, the container of a Type 4 Tag is rewritten unchanged to check whether it can be locked",
        arguments: [false, true])
    func type4Foreseen(isWritable: Bool) throws {
        let card = Type4Card(message: message(5))
        card.isCCWritable = isWritable
        let (container, file) = (card.cc, card.ndef)
        let tag = Type4Tag(on: RecordingChannel(card, target: .type4))
        #expect(try tag.lockForecast() == .untried)
        for failure in [
            error({ () throws(TagError) in try tag.requireLock() }),
            error({ () throws(TagError) in try tag.requireEnforcedLock() }),
        ] {
            let isRefused = if case .cannotMakeReadOnly? = failure { true } else { false }
            #expect(isRefused != isWritable && (failure == nil) == isWritable)
        }
        #expect(card.cc == container && card.ndef == file)
        #expect(try tag.readNDEF() == message(5))
    }

    @Test("A Type 4 Tag whose capability container cannot be written is left unchanged") func type4Unwritable() {
        let channel = RecordingChannel(Type4Card(message: message(5)), target: .type4)
        guard case .cannotMakeReadOnly? = error({ () throws(TagError) in try Type4Tag(on: channel).makeReadOnly() })
        else {
            Issue.record("a closed container was not reported")
            return
        }
    }
}

/// Changes block 20 when its lock bits are set.
private final class MeddlingCard: Card {
    private let card: Type2Card

    init(_ card: Type2Card) { self.card = card }

    func answer(_ command: [UInt8], framing: Framing) -> [UInt8]? {
        let answer = card.answer(command, framing: framing)
        if command.starts(with: [0xA2, 2]) { card.memory[80] = 0xAA }
        return answer
    }

    func reset() { card.reset() }
}
