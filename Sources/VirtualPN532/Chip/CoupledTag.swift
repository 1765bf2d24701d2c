// The chip of another reader in target mode, seen as a tag in this reader's field — ISO/IEC 14443-3 type A

/// A target on the other side of an ``Antenna``.
///
/// This side keeps the states up to the selection. Frames after the selection are sent to the other side.
final class CoupledTag: RatedTag, @unchecked Sendable {  // Mutable state is confined to the chip's thread.
    let sensRes: [UInt8]
    let nfcID1: [UInt8]
    let selRes: UInt8
    let epoch: UInt8
    /// Always 0, because the memory and its changes are on the other side's host.
    var generation: Int { 0 }
    private weak let antenna: Antenna?
    private var activation = ActivationState()
    /// Whether the target answered RATS.
    ///
    /// If so, only blocks are accepted until S(DESELECT) or the loss of the field.
    private var isInProtocol = false
    private var wasSelected = false
    private(set) var bitRates = BitRates.standard

    private static let rats: UInt8 = 0xE0
    /// S(DESELECT) without and with CID.
    private static let deselects: [UInt8] = [0xC2, 0xCA]
    /// Frame delay time, n = 9: 1236 carrier cycles.
    private static let frameDelay = Duration.nanoseconds(91_150)

    init(_ listener: AntennaSignal.Listener, antenna: Antenna) {
        (sensRes, nfcID1, selRes) = (listener.sensRes, listener.nfcID1, listener.selRes)
        epoch = listener.epoch
        self.antenna = antenna
    }

    func fieldOff() {
        if wasSelected { antenna?.fieldWentOff(for: self) }
        activation.powerOff()
        (isInProtocol, wasSelected, bitRates) = (false, false, .standard)
    }

    func poll(wakeUp: Bool) -> Bool { isInProtocol ? false : activation.poll(wakeUp: wakeUp) }

    func deselect() { if !isInProtocol { activation.fallBack() } }

    func select() {
        activation.select()
        wasSelected = wasSelected || activation.isActive
    }

    func halt() {
        guard activation.isActive, !isInProtocol else { return }
        antenna?.transmit(Radio.haltCommand, to: self)
        activation.halt()
    }

    func receive(_ frame: [UInt8]) -> TagReply {
        guard activation.isActive, let antenna else { return TagReply(.silence) }
        let answer = antenna.exchange(frame, with: self)
        if answer != .silence { noteAnswer(to: frame) }
        return TagReply(answer, delay: Self.frameDelay)
    }

    /// Treats a torn frame as a loss of power, because only a part of the frame arrives.
    func receiveTorn(_ frame: [UInt8]) { fieldOff() }

    private func noteAnswer(to frame: [UInt8]) {
        guard let first = frame.first else { return }
        if isInProtocol, Self.deselects.contains(first) {
            (isInProtocol, bitRates) = (false, .standard)
            activation.halt()
        } else if isInProtocol, first & 0xF0 == BitRates.ppsStart {
            bitRates = BitRates(pps: frame.dropFirst()) ?? bitRates
        } else if !isInProtocol, first == Self.rats, selRes & TypeATarget.isoDEPBit != 0 {
            isInProtocol = true
        }
    }
}
