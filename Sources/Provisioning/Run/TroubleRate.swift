// How many of the last tags had trouble: one tag may be at fault, several different ones point to the antenna

/// The last different tags of a reader.
struct TroubleRate: Sendable {
    /// So many tags are looked at, and with so many in trouble the operator is told.
    private static let tags = 10
    private static let alarming = 3

    private var last: [(uid: [UInt8], hadTrouble: Bool)] = []
    private var isTold = false

    /// Takes note of a visit; a tag in trouble that comes back and is finished stays one that had trouble.
    ///
    /// After an alarm the next tag without trouble begins anew.
    mutating func note(_ uid: [UInt8], hadTrouble: Bool) {
        if isTold, !hadTrouble { (last, isTold) = ([], false) }
        if let index = last.firstIndex(where: { $0.uid == uid }) {
            last[index].hadTrouble = last[index].hadTrouble || hadTrouble
        } else {
            last.append((uid, hadTrouble))
            last = last.suffix(Self.tags)
        }
    }

    /// How many of how many tags had trouble, once it is too many; nil when that was said already.
    mutating func takeAlarm() -> (troubled: Int, of: Int)? {
        let troubled = last.count(where: \.hadTrouble)
        guard !isTold, troubled >= Self.alarming else { return nil }
        isTold = true
        return (troubled, last.count)
    }
}
