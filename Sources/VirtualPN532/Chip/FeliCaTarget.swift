// Polling of FeliCa targets by the firmware — JIS X 6319-4; NXP UM0701-02, InListPassiveTarget

/// A FeliCa target that answered Polling.
struct FeliCaTarget: Hashable {
    /// The data of a Polling command for all systems, with one time slot and no requested data.
    ///
    /// The bytes are the command code, the system code (2 bytes), the request code and the number of time slots minus
    /// one.
    static let anySystem: [UInt8] = [0x00, 0xFF, 0xFF, 0x00, 0x00]
    private static let pollingResponseCode: UInt8 = 0x01

    let modulation: Modulation
    /// `length, 01, IDm (8), PMm (8) [, system code]`.
    let pollingResponse: [UInt8]

    init?(_ response: [UInt8], _ modulation: Modulation) {
        guard [18, 20].contains(response.count), response[0] == UInt8(response.count),
            response[1] == Self.pollingResponseCode
        else { return nil }
        (pollingResponse, self.modulation) = (response, modulation)
    }
}

extension Radio {
    /// The first time slot ends 2.417 ms + 1.208 ms after the request, and each further slot ends 1.208 ms later.
    private static let firstSlot = Duration.microseconds(3_625)
    private static let slot = Duration.microseconds(1_208)

    /// Sends Polling, and returns the tags whose answers arrived correctly.
    ///
    /// The payload has five bytes: code `00`, system code (2 bytes), request code, and the number of time slots minus
    /// one.
    func pollFeliCa(_ payload: [UInt8], _ modulation: Modulation) -> [FeliCaTarget] {
        let frame = AirFrame.withCRC([UInt8(payload.count + 1)] + payload, modulation)
        let timeout = Self.firstSlot + Self.slot * Int(payload.last ?? 0)
        return exchangeInSlots(frame, timeout: timeout, isCommand: false).compactMap { answer in
            guard case .frame(let frame) = answer, let response = frame.data else { return nil }
            return FeliCaTarget(response, modulation)
        }
    }
}
