// Activation of a type B tag — ISO/IEC 14443-3, PICC states for type B

/// The activation state: IDLE, READY-REQUESTED, READY-DECLARED or HALT.
///
/// The PROTOCOL state belongs to the block protocol.
struct TypeBActivation: Hashable, Sendable {
    private enum State: Hashable, Sendable {
        case idle
        /// The tag waits for the SLOT-MARKER of this slot, counted from 0.
        case requested(slot: UInt8)
        case declared
        case halt
    }

    enum Event: Hashable {
        case silence
        case answer([UInt8])
        /// ATTRIB for this tag.
        ///
        /// The values are the answer, and FSDI and CID for the block protocol.
        case selected([UInt8], fsdi: UInt8, cid: UInt8)
    }

    private enum Code {
        static let request: UInt8 = 0x05
        static let attrib: UInt8 = 0x1D
        static let halt: UInt8 = 0x50
    }

    /// The bytes of ATQB: `50`, PUPI (4 bytes), application data (4 bytes), protocol info (3 bytes).
    private(set) var atqb: [UInt8]
    private var state = State.idle

    init(pupi: [UInt8], applicationData: [UInt8], protocolInfo: [UInt8]) {
        atqb = [0x50] + pupi + applicationData + protocolInfo
    }

    private(set) var pupi: [UInt8] {
        get { Array(atqb[1..<5]) }
        set { atqb.replaceSubrange(1..<5, with: newValue) }
    }

    mutating func powerOff() { state = .idle }

    /// Changes the PUPI.
    ///
    /// A card may do this each time it gets power.
    mutating func renewPUPI() { pupi[3] &+= 1 }

    mutating func halt() { state = .halt }

    /// Handles a frame while the block protocol is not active.
    mutating func receive(_ frame: [UInt8]) -> Event {
        switch (frame.first, frame.count) {
        case (Code.request, 3):
            return request(applicationFamily: frame[1], parameter: frame[2])
        case (let code?, 1) where code & 0x0F == Code.request:
            guard state == .requested(slot: code >> 4) else { return .silence }
            state = .declared
            return .answer(atqb)
        case (Code.attrib, 9...):
            guard state == .declared, Array(frame[1..<5]) == pupi else { return .silence }
            return attrib(frame)
        case (Code.halt, 5):
            guard state == .declared, Array(frame[1..<5]) == pupi else { return .silence }
            state = .halt
            return .answer([0x00])
        default:
            return .silence
        }
    }

    /// Handles REQB or WUPB: `05 AFI PARAM`.
    ///
    /// The low three bits of PARAM contain N. The bit with the value 08 is set in WUPB.
    private mutating func request(applicationFamily: UInt8, parameter: UInt8) -> Event {
        let isWakeUp = parameter & 0x08 != 0
        guard isWakeUp || state != .halt, applicationFamily == 0x00 || applicationFamily == atqb[5] else {
            return .silence
        }
        // There are 2^N slots. A real tag chooses a slot at random; this one always chooses the same slot.
        let slots = 1 << Int(min(parameter & 0x07, 4))
        let slot = UInt8(pupi.reduce(0) { ($0 * 31 + Int($1)) % 0x1_0000 } % slots)
        guard slot == 0 else {
            state = .requested(slot: slot)
            return .silence
        }
        state = .declared
        return .answer(atqb)
    }

    /// Handles ATTRIB: `1D PUPI Param1 Param2 Param3 Param4`.
    ///
    /// Param 2 contains FSDI, and Param 4 contains the CID.
    private func attrib(_ frame: [UInt8]) -> Event {
        // MBLI is 0, which means that the tag does not report its buffer size.
        let cid = frame[8] & 0x0F
        return .selected([cid], fsdi: frame[6] & 0x0F, cid: cid)
    }
}
