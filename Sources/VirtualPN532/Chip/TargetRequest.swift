// The host's request to act as a target — NXP UM0701-02, TgInitAsTarget

/// The command data of TgInitAsTarget: `Mode MifareParams (6) FeliCaParams (18) NFCID3t (10) LenGt [Gt…] [LenTk
/// [Tk…]]`.
struct TargetRequest: Hashable {
    /// Whether only ATR_REQ activates the chip (DEPOnly).
    ///
    /// No initiator in the simulation sends ATR_REQ.
    let isDEPOnly: Bool
    /// Whether only RATS activates the chip (PICCOnly).
    let isPICCOnly: Bool
    /// ATQA in the order in which it is sent: low byte first.
    let sensRes: [UInt8]
    /// NFCID1, which consists of `08` and three bytes from the host.
    let nfcID1: [UInt8]
    let selRes: UInt8
    let historicalBytes: [UInt8]

    private static let depOnly: UInt8 = 0x02
    private static let piccOnly: UInt8 = 0x04
    /// The number of bytes in Mode, MifareParams, FeliCaParams and NFCID3t.
    private static let fixedLength = 1 + 6 + 18 + 10
    private static let maximumGeneralBytes = 47
    private static let maximumHistoricalBytes = 48
    /// T0, TA(1), TB(1) and TC(1): FSC 64 bytes, FWI 9, CID and NAD.
    ///
    /// The values were observed on a PN532 that a program of libnfc used. The manual leaves them to the firmware.
    private static let interfaceBytes: [UInt8] = [0x75, 0x33, 0x92, 0x03]
    /// The frame waiting time for FWI 9: 256 × 16 carrier periods, doubled nine times.
    static let frameWaitingTime = Duration.nanoseconds(302_065) * (1 << 9)

    /// Decodes the data after the command code, or returns nil if the lengths in it are wrong.
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
        // The first byte of NFCID1 means that the rest is random. The host cannot set it.
        nfcID1 = [0x08] + data[3...5]
        selRes = data[6]
    }

    /// The answer to RATS: TL, T0, TA(1), TB(1), TC(1), historical bytes.
    var ats: [UInt8] {
        let ats = Self.interfaceBytes + historicalBytes
        return [UInt8(ats.count + 1)] + ats
    }
}
