// Signals between two chips with coupled antennas — nfctool's own encoding, with one packet per signal

/// A signal between two readers whose antennas are coupled.
///
/// REQA, anticollision, SELECT and the states of ISO/IEC 14443-3 stay on the initiator's side, because they involve all
/// tags in its field. Everything after the selection is sent to the other side.
enum AntennaSignal: Hashable {
    /// A type A target in listen mode.
    struct Listener: Hashable {
        /// The number of this period of listening.
        ///
        /// Frames that were sent for an earlier period are ignored.
        var epoch: UInt8
        /// ATQA in the order in which it is sent: low byte first.
        var sensRes: [UInt8]
        var nfcID1: [UInt8]
        var selRes: UInt8
    }

    /// The sender can be found and selected from now on.
    case listening(Listener)
    /// The sender is no longer a target.
    case silent
    /// A frame for the selected target, without its CRC.
    case frame(epoch: UInt8, number: UInt8, [UInt8])
    /// The target's answer to the frame with this number.
    ///
    /// The target answers every frame except HLTA.
    case answer(number: UInt8, TagAnswer)
    /// The sender's field was switched off while the target was selected in it.
    case fieldOff(epoch: UInt8)

    /// The longest packet, in bytes.
    ///
    /// The limit is generous, because the chip's frames have at most 266 bytes.
    static let maximumLength = 512

    private enum Code {
        static let listening: UInt8 = 1
        static let silent: UInt8 = 2
        static let frame: UInt8 = 3
        static let fieldOff: UInt8 = 4
        static let answerBytes: UInt8 = 5
        static let answerBare: UInt8 = 6
        static let answerNibble: UInt8 = 7
        static let answerSilence: UInt8 = 8
    }

    var encoded: [UInt8] {
        switch self {
        case .listening(let listener):
            [Code.listening, listener.epoch] + listener.sensRes.prefix(2) + [listener.selRes] + listener.nfcID1
        case .silent: [Code.silent]
        case .frame(let epoch, let number, let bytes): [Code.frame, epoch, number] + bytes
        case .fieldOff(let epoch): [Code.fieldOff, epoch]
        case .answer(let number, .bytes(let bytes)): [Code.answerBytes, number] + bytes
        case .answer(let number, .bare(let bytes)): [Code.answerBare, number] + bytes
        case .answer(let number, .nibble(let nibble)): [Code.answerNibble, number, nibble]
        case .answer(let number, .silence): [Code.answerSilence, number]
        }
    }

    /// Decodes a packet, or returns nil if it is invalid.
    init?(_ packet: [UInt8]) {
        guard let code = packet.first, packet.count <= Self.maximumLength else { return nil }
        let rest = Array(packet.dropFirst(2))
        switch (code, packet.count) {
        case (Code.listening, 9):
            self = .listening(
                Listener(epoch: packet[1], sensRes: Array(rest[..<2]), nfcID1: Array(rest[3...]), selRes: rest[2]))
        case (Code.silent, 1): self = .silent
        case (Code.frame, 4...): self = .frame(epoch: packet[1], number: packet[2], Array(rest.dropFirst()))
        case (Code.fieldOff, 2): self = .fieldOff(epoch: packet[1])
        case (Code.answerBytes, 3...): self = .answer(number: packet[1], .bytes(rest))
        case (Code.answerBare, 3...): self = .answer(number: packet[1], .bare(rest))
        case (Code.answerNibble, 3): self = .answer(number: packet[1], .nibble(packet[2] & 0x0F))
        case (Code.answerSilence, 2): self = .answer(number: packet[1], .silence)
        default: return nil
        }
    }
}
