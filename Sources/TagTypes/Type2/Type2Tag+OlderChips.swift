// Recognising chips that refuse GET_VERSION — NXP NTAG203 and MF0ICU2, memory organisation and AUTHENTICATE; MF0ICU1,
// READ; ST DS13433
import Chips
import ReaderInterface

extension Type2Tag {
    /// The data area size of an NTAG203 and an Ultralight C, in units of 8 bytes.
    private static let olderChipSize: UInt8 = 0x12
    /// The manufacturer code of NXP, which is the first byte of the UID of an NTAG203 and an Ultralight C.
    private static let nxp: UInt8 = 0x04

    /// Recognises a chip that refused GET_VERSION by behaviour that no other chip shows.
    ///
    /// A chip without such behaviour stays unknown. Recognition is needed because the Lock Control TLV of an NTAG203
    /// and an Ultralight C, which have the same lock bits, does not describe them correctly: block-locking bits lie
    /// among the lock bits.
    func recogniseOlderChip() throws(TagError) {
        guard case .nfcA(let target) = channel.target else { return }
        try recogniseProductCode(ChipModel.withProductCode(uid: target.nfcID1))
        guard target.nfcID1.first == Self.nxp else { return }
        try memory.load(0...3)
        // An Ultralight C can require its key for reading from block 3 on, but it still answers AUTHENTICATE — MF0ICU2
        // 7.5.8.
        let container = memory.cached(Type2CapabilityContainer.block)
        // An interrupted initialisation may have left only some bits of the container.
        let isBlank =
            container.map { zip($0, Self.container(mlen: Self.olderChipSize)).allSatisfy { $0 & ~$1 == 0 } } ?? true
        let isOfTheirSize = container.flatMap { Type2CapabilityContainer($0) }?.bytes[2] == Self.olderChipSize
        guard isBlank || isOfTheirSize else { return }
        if let challenge = try authenticationChallenge() {
            memory.recognise(.ultralightC, by: challenge)
            return
        }
        // On a chip with 42 blocks, a READ of the last two blocks continues with block 0, which holds the UID.
        guard isOfTheirSize, let end = try memory.ask([0x30, 40], framing: .handled, count: 16),
            let identity = memory.cached(0), let rest = memory.cached(1), Array(end[8...]) == identity + rest
        else { return }
        memory.recognise(.ntag203, by: Array(end))
    }

    /// Recognises a chip by a code that its manufacturer wrote to a block.
    ///
    /// The block is read only if the chip is from that manufacturer.
    private func recogniseProductCode(
        _ candidates: [(model: ChipModel, block: Int, code: [UInt8], dataAreaSize: UInt8)]
    ) throws(TagError) {
        guard !candidates.isEmpty else { return }
        try memory.load(0...3)
        guard let block = memory.cached(Type2CapabilityContainer.block), let container = Type2CapabilityContainer(block)
        else { return }
        for candidate in candidates where candidate.dataAreaSize == container.bytes[2] {
            let command = [0x30, UInt8(truncatingIfNeeded: candidate.block)]
            guard let answer = try memory.ask(command, framing: .handled, count: 16),
                answer.starts(with: candidate.code)
            else { continue }
            return memory.recognise(candidate.model, by: Array(answer.prefix(Self.blockSize)))
        }
    }

    /// Returns the answer to the first part of AUTHENTICATE, or `nil` if the tag refuses the command.
    ///
    /// The tag is selected again in either case.
    private func authenticationChallenge() throws(TagError) -> [UInt8]? {
        let answer = try memory.ask(UltralightKey.authenticateCommand, framing: .raw, count: 9)
        // The chip now expects the second part of the authentication. A new selection ends this state.
        if answer != nil { try memory.reselect() }
        return answer.flatMap { $0[0] == UltralightKey.continuation ? $0 : nil }
    }
}

extension Type2Memory {
    /// The size of the data area of the first Ultralight, in units of 8 bytes, and the number of the first of its last
    /// three blocks.
    private static let (firstUltralightSize, firstUltralightEnd) = (UInt8(0x06), UInt8(13))

    /// Whether the memory is like that of the first Ultralight.
    ///
    /// This chip has 48 bytes of data, and a READ of its last three blocks continues with block 0, which begins with
    /// the UID.
    ///
    /// On most other chips of this size, blocks with the configuration follow the data. If there are none (NTAG 210 µ),
    /// or if they cannot be read, GET_VERSION would reveal only the name of the chip, not its configuration.
    func hasMemoryOfFirstUltralight() throws(TagError) -> Bool {
        do throws(TagError) {
            guard let end = try ask([0x30, Self.firstUltralightEnd], framing: .handled, count: 16),
                end.dropFirst(12).starts(with: channel.target.identifier.prefix(3))
            else { return false }
            try load(0...3)
            let container = cached(Type2CapabilityContainer.block).flatMap { Type2CapabilityContainer($0) }
            return container?.bytes[2] == Self.firstUltralightSize
        } catch .reader(.notInFile) {
            return false
        }
    }
}
