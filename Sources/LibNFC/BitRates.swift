// Bit rates of ISO-DEP targets above 106 kbit/s — ISO/IEC 14443-4, TA(1) and PPS; NXP UM0701-02, InPSL

import ReaderInterface

/// A bit rate that a PN532 supports for ISO-DEP targets of type A.
///
/// The raw value is a parameter of InPSL.
enum BitRate: UInt8, Hashable, Sendable {
    case kbps106 = 0
    case kbps212 = 1
    case kbps424 = 2

    var number: Int { 106 << Int(rawValue) }

    /// The next lower bit rate, or 106 kbit/s if there is none.
    var lower: BitRate { self == .kbps424 ? .kbps212 : .kbps106 }
}

struct BitRates: Hashable, Sendable {
    let toTarget: BitRate
    let toReader: BitRate

    /// Finds the highest bit rates, up to a limit, that a target supports.
    ///
    /// Returns nil if they are 106 kbit/s in both directions. In TA(1), bits 1 to 3 name the bit rates to the target,
    /// and bits 5 to 7 those to the reader. Bit 8 requires the same bit rate in both directions. If bit 4 is set, only
    /// 106 kbit/s is supported.
    ///
    /// - Parameters:
    ///   - ats: the answer to select without its length byte.
    ///   - limit: the highest bit rate to use in either direction.
    init?(ats: [UInt8], upTo limit: BitRate) {
        guard let format = ats.first, format & 0x10 != 0, ats.count > 1, ats[1] & 0x08 == 0 else { return nil }
        let (toTarget, toReader) = (ats[1] & 0x07, ats[1] >> 4 & 0x07)
        let isSymmetric = ats[1] & 0x80 != 0
        self.toTarget = Self.highest(in: isSymmetric ? toTarget & toReader : toTarget, upTo: limit)
        self.toReader = Self.highest(in: isSymmetric ? toTarget & toReader : toReader, upTo: limit)
        guard self.toTarget != .kbps106 || self.toReader != .kbps106 else { return nil }
    }

    var command: [UInt8] { [0x4E, 0x01, toTarget.rawValue, toReader.rawValue] }

    /// Returns the highest bit rate in `bits`, up to a limit.
    ///
    /// Bit 0 means 212 kbit/s, and bit 1 means 424 kbit/s.
    private static func highest(in bits: UInt8, upTo limit: BitRate) -> BitRate {
        if limit == .kbps424, bits & 0x02 != 0 { return .kbps424 }
        return limit != .kbps106 && bits & 0x01 != 0 ? .kbps212 : .kbps106
    }
}

/// Chooses the bit rates for each target that is selected, and lowers them for a target that often does not answer.
struct BitRateChoice {
    /// The number of missing answers at one bit rate after which the next selection uses a lower bit rate.
    private static let toleratedFailures = 2

    /// The bytes that identify the target that was selected last.
    private var key: [UInt8] = []
    private var limit = BitRate.kbps424
    private var failures = 0
    private var isRaised = false

    /// Returns the bit rates to request from a target that was just selected, and therefore uses 106 kbit/s.
    ///
    /// Nil if the target stays at 106 kbit/s.
    mutating func rates(for target: Target) -> BitRates? {
        let key = Self.key(of: target)
        if key != self.key { (self.key, limit, failures) = (key, .kbps424, 0) }
        isRaised = false
        guard case .nfcA(let card) = target, card.isISODEP else { return nil }
        return BitRates(ats: card.ats, upTo: limit)
    }

    /// Records that the target agreed to the bit rates.
    mutating func noteAgreement() { isRaised = true }

    /// Records that the target did not answer a PPS.
    ///
    /// The target stays at 106 kbit/s until another target is selected.
    mutating func noteRefusal() { limit = .kbps106 }

    /// Records that a target did not answer a command.
    ///
    /// A higher bit rate needs better coupling. A single missing answer is normal.
    mutating func noteSilence(of target: Target) {
        guard isRaised, Self.key(of: target) == key else { return }
        failures += 1
        if failures >= Self.toleratedFailures { (limit, failures) = (limit.lower, 0) }
    }

    /// The bytes that distinguish targets.
    ///
    /// A random identifier changes each time the field is off, so all targets with such an identifier count as the
    /// same. Otherwise, a target that refuses higher bit rates would be asked again after each field reset, and lost
    /// each time.
    private static func key(of target: Target) -> [UInt8] {
        target.hasRandomIdentifier ? Array(target.identifier.prefix(1)) : target.identifier
    }
}
