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

    // MARK: After a password

    /// A READ or WRITE of a tag that was given a password, by a reader that tells a NAK like silence.
    func isBlockCommandAfterPassword(_ command: [UInt8]) -> Bool {
        guard case .nfcA(let card) = target, !card.isISODEP, card.selRes & 0x08 == 0, hasAuthenticated,
            command.first == Self.control[0] || command.first == Self.write, case .apdus? = plan(command)
        else { return false }
        return true
    }

    /// Whether the command that was not answered now was refused.
    ///
    /// Who asks again activates the tag, and gives the password, between two tries: that this works each time, and the
    /// command never does, tells a refusal from a bad radio.
    var isRefused: Bool { silence.count >= Self.controls }

    private static let write: UInt8 = 0xA2

    // MARK: NFC-V

    /// Whether a reader that takes the response flags off does not tell a refusal of this command from silence.
    func isUntold(_ command: [UInt8]) -> Bool {
        guard case .nfcV = target, command.count > 1 else { return false }
        switch plan(command) {
        case .apdus(_, .nfcV)?, .blocks(.write)?: return true
        case .apdus?, .blocks(.read)?, .frame?, nil: return false
        }
    }

    /// The error without a reason, when a command fails and READ SINGLE BLOCK of block 0 succeeds after it, each time.
    ///
    /// - Throws: `noAnswer` where that fails, too: then it was the radio, or a tag that answers neither.
    func vicinityRefusal(of command: [UInt8]) throws(ReaderError) -> FrameAnswer {
        let addressed = [0x22, 0x20] + target.identifier.reversed() + [0x00]
        for _ in 0..<Self.controls {
            guard case .bytes(let answer) = try frame(addressed), answer.first == 0x00 else { throw .noAnswer }
            do throws(ReaderError) {
                return try frame(command)
            } catch {
                guard error == .noAnswer else { throw error }
            }
        }
        return .bytes([0x01, 0x0F])
    }
}
