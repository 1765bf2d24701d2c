// Whether a Type 2 Tag refused a block, or the radio failed: FF B0 and FF D6 answer 6300 to both

import ReaderInterface

extension PCSCChannel {
    /// How often a command fails beside a READ that succeeds before it counts as refused.
    private static let controls = 3
    /// READ of block 0, which every tag answers.
    private static let control: [UInt8] = [0x30, 0x00]

    /// A READ or WRITE that goes the reader's own way, of a tag that no password was given.
    ///
    /// After a password a new activation would make a refusal of what noise did.
    func isBlockCommand(_ command: [UInt8]) -> Bool {
        guard case .nfcA(let card) = target, !card.isISODEP, card.selRes & 0x08 == 0, !hasAuthenticated,
            case .apdus(_, let form)? = plan(command)
        else { return false }
        return form != .direct
    }

    /// Four bits that are not ACK, when a command fails on fresh activations in which READ succeeds.
    ///
    /// - Throws: `noAnswer` where that fails, too: then it was the radio.
    func refusal(of command: [UInt8]) throws(ReaderError) -> FrameAnswer {
        for _ in 0..<Self.controls {
            try reselect()
            guard case .bytes = try frame(Self.control) else { throw .noAnswer }
            do throws(ReaderError) {
                return try frame(command)
            } catch {
                guard error == .noAnswer else { throw error }
            }
        }
        try reselect()
        return .nibble(0)
    }
}
