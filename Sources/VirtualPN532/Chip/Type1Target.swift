// Activation of a Type 1 Tag (Jewel, Topaz) by the firmware — NFC Forum Type 1 Tag; NXP UM0701-02, InListPassiveTarget

/// A Type 1 Tag that answered RID.
struct Type1Target: Hashable {
    /// ATQA in the order in which it is sent: low byte first.
    let sensRes: [UInt8]
    /// The first four bytes of the UID (UID0 to UID3).
    let jewelID: [UInt8]

    /// The target data: `SENS_RES (high byte first), JEWELID`.
    var targetData: [UInt8] { sensRes.reversed() + jewelID }
}

extension Radio {
    /// The command RID, with address, data and UID all zero.
    private static let rid: [UInt8] = [0x78, 0x00, 0x00, 0x00, 0x00, 0x00, 0x00]

    /// Sends REQA and then RID, and returns the Type 1 Tag that answers both, or nil if none does.
    func activateType1() -> Type1Target? {
        let request = AirFrame(bytes: [Self.senseRequest], lastBits: 7)
        guard case .frame(let sensRes) = exchange(request, timeout: Self.activationTimeout),
            sensRes.bytes == Self.type1SensRes,
            case .frame(let frame) = exchange(
                .withCRC(Self.rid, .type1), timeout: Self.activationTimeout, isCommand: false),
            // HR0, HR1 and UID0 to UID3.
            let response = frame.data, response.count == 6
        else { return nil }
        return Type1Target(sensRes: sensRes.bytes, jewelID: Array(response.suffix(4)))
    }
}
