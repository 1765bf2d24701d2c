// Distinguishing a Type 2 Tag's refusal from a radio failure, because FF B0 and FF D6 return 6300 in both cases

import ReaderInterface

extension PCSCChannel {
    /// The number of failures, each after a successful READ, that count as a refusal.
    private static let controls = 3
    /// READ of block 0, which every tag permits.
    private static let control: [UInt8] = [0x30, 0x00]

    /// Whether this is a READ or WRITE that the reader translates itself, for a tag without password authentication.
    ///
    /// After an authentication, a new activation would make the tag refuse a command that had failed only because of
    /// noise.
    func isBlockCommand(_ command: [UInt8]) -> Bool {
        guard case .nfcA(let card) = target, !card.isISODEP, card.selRes & 0x08 == 0, !hasAuthenticated,
            case .apdus(_, let form)? = plan(command)
        else { return false }
        return form != .direct
    }

    /// Repeats a command after new activations, and returns its answer.
    ///
    /// If the command always fails although READ succeeds, returns a NAK.
    ///
    /// - Throws: `noAnswer` if READ fails as well, which means that the radio failed.
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

    /// Whether this is a READ or WRITE after password authentication, on a reader that does not distinguish a NAK from
    /// silence.
    func isBlockCommandAfterPassword(_ command: [UInt8]) -> Bool {
        guard case .nfcA(let card) = target, !card.isISODEP, card.selRes & 0x08 == 0, hasAuthenticated,
            command.first == Self.control[0] || command.first == Self.write, case .apdus? = plan(command)
        else { return false }
        return true
    }

    /// Whether the unanswered command counts as refused by the tag.
    ///
    /// Before each repetition, the caller activates the tag and sends the password again. If that always succeeds and
    /// the command always fails, the tag refuses the command, and the radio is not the cause.
    var isRefused: Bool { silence.count >= Self.controls }

    private static let write: UInt8 = 0xA2
}
