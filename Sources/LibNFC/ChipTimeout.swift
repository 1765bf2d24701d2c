// How long the chip itself waits for a target that is silent — NXP UM0701-02, RFConfiguration; ISO/IEC 14443-4, FWT

import ReaderInterface

extension Target {
    /// The time after which the chip reports that this target is silent.
    ///
    /// The host has to wait longer than that: a host that gives up first leaves the chip busy, and takes it for mute.
    var chipTimeout: Duration {
        switch self {
        case .nfcA(let target) where target.isISODEP: Self.isoDEPTimeout(fwi: target.fwi)
        case .nfcB(let target): Self.isoDEPTimeout(fwi: (target.protocolInfo.last ?? 0) >> 4)
        case .nfcA, .nfcF, .jewel, .nfcV: Self.communicationTimeout
        }
    }

    /// RFConfiguration, item 2, fRetryTimeout 0x0A, which libnfc sets when it opens a reader.
    private static let communicationTimeout = Duration.microseconds(51_200)

    /// The chip repeats a block that was not answered before it gives up: three attempts (ISO/IEC 14443-4, 7.5.5).
    ///
    /// The number is from memory; the data sheet does not tell how often a PN532 repeats.
    private static let attempts = 3

    /// The frame waiting time 256 · 16 / fc · 2^FWI, about 302 µs · 2^FWI; FWI 15 is reserved and counts as 4.
    private static func isoDEPTimeout(fwi: UInt8) -> Duration {
        let frameWaitingTime = Duration.microseconds(303) * (1 << Int(fwi < 15 ? fwi : 4))
        return max(communicationTimeout, frameWaitingTime * attempts)
    }
}

extension NFCATarget {
    /// FWI: the high half of TB(1) in the answer to select; 4 when that has none.
    fileprivate var fwi: UInt8 {
        guard let format = ats.first, format & 0x20 != 0 else { return 4 }
        // TA(1) comes before it, if there is one.
        let place = format & 0x10 == 0 ? 1 : 2
        return ats.indices.contains(place) ? ats[place] >> 4 : 4
    }
}
