// How long the chip waits for a silent target — NXP UM0701-02, RFConfiguration; ISO/IEC 14443-4, FWT

import ReaderInterface

extension Target {
    /// The time after which the chip reports that this target does not answer.
    ///
    /// The host must wait longer than this. If the host gives up first, the chip stays busy and seems not to answer.
    var chipTimeout: Duration {
        switch self {
        case .nfcA(let target) where target.isISODEP: Self.isoDEPTimeout(fwi: target.fwi)
        case .nfcB(let target): Self.isoDEPTimeout(fwi: (target.protocolInfo.last ?? 0) >> 4)
        case .nfcA, .nfcF, .jewel, .nfcV: Self.communicationTimeout
        }
    }

    /// RFConfiguration, item 2, fRetryTimeout 0x0A, which libnfc sets when it opens a reader.
    private static let communicationTimeout = Duration.microseconds(51_200)

    /// The number of times that the chip sends a block before it gives up: three (ISO/IEC 14443-4, 7.5.5).
    ///
    /// The number is from memory. The data sheet does not say how many times a PN532 repeats a block.
    private static let attempts = 3

    /// Computes the frame waiting time 256 · 16 / fc · 2^FWI, which is about 302 µs · 2^FWI.
    ///
    /// FWI 15 is reserved and counts as 4.
    private static func isoDEPTimeout(fwi: UInt8) -> Duration {
        let frameWaitingTime = Duration.microseconds(303) * (1 << Int(fwi < 15 ? fwi : 4))
        return max(communicationTimeout, frameWaitingTime * attempts)
    }
}

extension NFCATarget {
    /// FWI: the upper half of TB(1) in the answer to select, or 4 if TB(1) is missing.
    fileprivate var fwi: UInt8 {
        guard let format = ats.first, format & 0x20 != 0 else { return 4 }
        // TA(1), if present, comes before TB(1).
        let place = format & 0x10 == 0 ? 1 : 2
        return ats.indices.contains(place) ? ats[place] >> 4 : 4
    }
}
