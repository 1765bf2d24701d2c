// The host's request to act as a target — NXP UM0701-02, TgInitAsTarget

/// The parameters of TgInitAsTarget: `Mode MifareParams (6) FeliCaParams (18) NFCID3t (10) LenGt [Gt…] [LenTk [Tk…]]`.
struct TargetRequest: Hashable {
    /// DEPOnly: the chip is activated only by ATR_REQ, which no initiator in the simulation sends.
    let isDEPOnly: Bool
    /// PICCOnly: the chip is activated only by RATS.
    let isPICCOnly: Bool
    /// ATQA as on the air, low byte first.
    let sensRes: [UInt8]
    /// NFCID1: `08` and three bytes from the host.
    let nfcID1: [UInt8]
    let selRes: UInt8
    let historicalBytes: [UInt8]

    private static let depOnly: UInt8 = 0x02
    private static let piccOnly: UInt8 = 0x04
    /// Mode, MifareParams, FeliCaParams and NFCID3t.
    private static let fixedLength = 1 + 6 + 18 + 10
    private static let maximumGeneralBytes = 47
    private static let maximumHistoricalBytes = 48
    /// T0, TA(1), TB(1), TC(1): FSC 64 bytes, FWI 9, CID and NAD.
    ///
    /// These values were observed on a PN532 used by libnfc's programs. The manual leaves them to the firmware.
    private static let interfaceBytes: [UInt8] = [0x75, 0x33, 0x92, 0x03]
    /// FWT of FWI 9: 256 × 16 carrier periods, doubled nine times.
    static let frameWaitingTime = Duration.nanoseconds(302_065) * (1 << 9)

    /// Decodes the data after the command code.
    ///
    /// Returns nil if the lengths do not fit.
    init?(_ data: [UInt8]) {
        guard data.count > Self.fixedLength else { return nil }
        let lenGt = Int(data[Self.fixedLength])
        let rest = data.dropFirst(Self.fixedLength + 1)
        guard lenGt <= Self.maximumGeneralBytes, rest.count >= lenGt else { return nil }
        let tail = rest.dropFirst(lenGt)
        historicalBytes = Array(tail.dropFirst())
        guard historicalBytes.count == Int(tail.first ?? 0), historicalBytes.count <= Self.maximumHistoricalBytes else {
            return nil
        }
        isDEPOnly = data[0] & Self.depOnly != 0
        isPICCOnly = data[0] & Self.piccOnly != 0
        sensRes = Array(data[1...2])
        // The first byte of NFCID1 means "random". The host cannot set it.
        nfcID1 = [0x08] + data[3...5]
        selRes = data[6]
    }

    /// TL, T0, TA(1), TB(1), TC(1), historical bytes.
    var ats: [UInt8] {
        let ats = Self.interfaceBytes + historicalBytes
        return [UInt8(ats.count + 1)] + ats
    }
}
