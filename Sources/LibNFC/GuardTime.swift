// The waiting time for a target after the field was switched on — NFC Forum Digital 2.0, appendix B

import ReaderInterface

extension Technology {
    /// The time without commands after which a target must be able to answer in a new field: GT_A, GT_B and GT_F.
    ///
    /// NFC Forum Digital 2.0, appendices B.2, B.3 and B.4, as quoted in the RFAL library of STMicroelectronics
    /// (rfal_rf.h). A Type 1 Tag is polled with NFC-A's SENS_REQ.
    var guardTime: Duration {
        switch self {
        case .nfcA, .nfcB, .jewel: .milliseconds(5)
        case .nfcF: .milliseconds(20)
        case .nfcV: .zero
        }
    }
}

/// The time at which the field was switched on.
struct FieldStart {
    private let instant: ContinuousClock.Instant

    /// Creates the start of a field that was switched on at this instant, or just before it.
    init(_ instant: ContinuousClock.Instant = .now) { self.instant = instant }

    /// Returns the remaining part of a technology's guard time, or zero if the time is over.
    func rest(of technology: Technology, at now: ContinuousClock.Instant = .now) -> Duration {
        max(.zero, technology.guardTime - (now - instant))
    }
}
