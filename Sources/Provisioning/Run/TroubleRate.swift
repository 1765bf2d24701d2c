// Counts the recent tags that had trouble: a single tag may be at fault, but several point to the antenna

/// The results of the latest tags on a reader, one result for each tag.
struct TroubleRate: Sendable {
    /// The number of recent tags that are considered.
    ///
    /// The operator is warned if ``alarming`` of them had trouble.
    private static let tags = 10
    private static let alarming = 3

    private var last: [(uid: [UInt8], hadTrouble: Bool)] = []
    private var isTold = false

    /// Records whether a tag had trouble during a visit.
    ///
    /// A tag that had trouble still counts if it comes back and is finished. After an alarm, the next tag without
    /// trouble restarts the count.
    mutating func note(_ uid: [UInt8], hadTrouble: Bool) {
        if isTold, !hadTrouble { (last, isTold) = ([], false) }
        if let index = last.firstIndex(where: { $0.uid == uid }) {
            last[index].hadTrouble = last[index].hadTrouble || hadTrouble
        } else {
            last.append((uid, hadTrouble))
            last = last.suffix(Self.tags)
        }
    }

    /// Returns the number of tags that had trouble and the number of tags considered, or nil if no alarm is due or if
    /// the alarm was already raised.
    mutating func takeAlarm() -> (troubled: Int, of: Int)? {
        let troubled = last.count(where: \.hadTrouble)
        guard !isTold, troubled >= Self.alarming else { return nil }
        isTold = true
        return (troubled, last.count)
    }
}
