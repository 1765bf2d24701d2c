// How long a target is left alone in a field that was just switched on — NFC Forum Digital 2.0, appendix B

import ReaderInterface

extension Technology {
    /// The time without commands after which a target in a new field must answer: GT_A, GT_B and GT_F.
    ///
    /// NFC Forum Digital 2.0, appendices B.2, B.3 and B.4, as the RFAL library of STMicroelectronics (rfal_rf.h) quotes them.
    /// A Type 1 Tag is polled with NFC-A's SENS_REQ.
    var guardTime: Duration {
        switch self {
        case .nfcA, .nfcB, .jewel: .milliseconds(5)
        case .nfcF: .milliseconds(20)
        case .nfcV: .zero
        }
    }
}

/// When the field was switched on.
struct FieldStart {
    private let instant: ContinuousClock.Instant

    /// A field that was switched on at this instant, or just before.
    init(_ instant: ContinuousClock.Instant = .now) { self.instant = instant }

    /// What remains of a technology's guard time; zero when it is over.
    func rest(of technology: Technology, at now: ContinuousClock.Instant = .now) -> Duration {
        max(.zero, technology.guardTime - (now - instant))
    }
}
