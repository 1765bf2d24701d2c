// Knowing chips that refuse GET_VERSION — NXP NTAG203 and MF0ICU2, memory organisation and AUTHENTICATE; ST DS13433
import Chips
import ReaderInterface

extension Type2Tag {
    /// The data area size of both chips, in units of 8 bytes.
    private static let olderChipSize: UInt8 = 0x12
    /// The manufacturer of both, NXP, in the first byte of the UID.
    private static let nxp: UInt8 = 0x04

    /// Recognises a chip that refused GET_VERSION by what only it does; else it stays unknown.
    ///
    /// Both have the same lock bits, which their Lock Control TLV describes wrongly: block-locking bits lie among them.
    func recogniseOlderChip() throws(TagError) {
        guard case .nfcA(let target) = channel.target else { return }
        try recogniseProductCode(ChipModel.withProductCode(uid: target.nfcID1))
        guard target.nfcID1.first == Self.nxp else { return }
        try memory.load(0...3)
        guard let container = memory.cached(Type2CapabilityContainer.block) else { return }
        let isBlank = container.allSatisfy { $0 == 0 }
        let isOfTheirSize = Type2CapabilityContainer(container)?.bytes[2] == Self.olderChipSize
        guard isBlank || isOfTheirSize else { return }
        if let challenge = try authenticationChallenge() {
            memory.recognise(.ultralightC, by: challenge)
            return
        }
        // READ of the last two of 42 blocks goes on at block 0, where the UID is.
        guard isOfTheirSize, let end = try memory.ask([0x30, 40], framing: .handled, count: 16),
            let identity = memory.cached(0), let rest = memory.cached(1), Array(end[8...]) == identity + rest
        else { return }
        memory.recognise(.ntag203, by: Array(end))
    }

    /// Recognises a chip by a code that its maker wrote to a block; only chips of that maker are asked.
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

    /// The answer to the first part of AUTHENTICATE, `nil` when the tag refuses; it is selected again in any case.
    private func authenticationChallenge() throws(TagError) -> [UInt8]? {
        let answer = try memory.ask(UltralightKey.authenticateCommand, framing: .raw, count: 9)
        // The chip is in the middle of an authentication.
        if answer != nil { try memory.reselect() }
        return answer.flatMap { $0[0] == UltralightKey.continuation ? $0 : nil }
    }
}
