// Tags that pass the antenna one after the other

/// A sequence of tags that arrive one at a time.
struct TagStream {
    private let dwell: Duration
    private let gap: Duration
    var waiting: [any VirtualTag]
    private var lastUse: Field.Instant?
    private var lastFrame: [UInt8] = []
    private var nextArrival: Field.Instant?

    init(_ tags: [any VirtualTag], dwell: Duration, gap: Duration) {
        (waiting, self.dwell, self.gap) = (tags, dwell, gap)
    }

    /// The time at which the current tag leaves or the next one arrives; nil if nothing is due.
    var nextChange: Field.Instant? { lastUse.map { $0 + dwell } ?? nextArrival }

    /// Returns the tag in the field at the time `now`; nil if the field is empty.
    ///
    /// `current` is the tag that was there at the last call.
    mutating func advance(current: (any VirtualTag)?, to now: Field.Instant) -> (any VirtualTag)? {
        var current = current
        if current != nil, let lastUse, now >= lastUse + dwell {
            current = nil
            leave(at: lastUse + dwell)
        }
        if current == nil, !waiting.isEmpty, nextArrival.map({ now >= $0 }) ?? true {
            current = waiting.removeFirst()
            nextArrival = nil
        }
        return current
    }

    /// Resets the state because the current tag was removed.
    ///
    /// The next tag counts as unused, and so does this tag if it returns.
    mutating func currentWasRemoved() { (lastUse, lastFrame, nextArrival) = (nil, [], nil) }

    mutating func currentWasLost(at now: Field.Instant) { leave(at: now) }

    mutating func noteUse(_ frame: [UInt8], at now: Field.Instant) {
        guard lastUse == nil || frame != lastFrame else { return }
        (lastUse, lastFrame) = (now, frame)
    }

    private mutating func leave(at time: Field.Instant) {
        (lastUse, lastFrame) = (nil, [])
        nextArrival = waiting.isEmpty ? nil : time + gap
    }
}
