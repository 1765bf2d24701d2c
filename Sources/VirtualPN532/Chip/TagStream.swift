// Tags that pass the antenna one after the other

/// A sequence of tags that arrive one at a time.
struct TagStream {
    private let dwell: Duration
    private let gap: Duration
    var waiting: [any VirtualTag]
    private var lastUse: Field.Instant?
    private var lastFrame: [UInt8] = []
    /// The number of times the host has looked for tags since the last use.
    private var looks = 0
    /// When the host had looked often enough; nil before that.
    private var watched: Field.Instant?
    /// The number of looks that a used tag stays for.
    ///
    /// A host that is delayed while it works on a tag does not look for tags, so the tag does not leave. Selecting a tag
    /// again is one look.
    private static let looksBeforeLeaving = 3
    private var nextArrival: Field.Instant?

    init(_ tags: [any VirtualTag], dwell: Duration, gap: Duration) {
        (waiting, self.dwell, self.gap) = (tags, dwell, gap)
    }

    /// The time at which the current tag leaves or the next one arrives; nil if nothing is due.
    var nextChange: Field.Instant? { lastUse == nil ? nextArrival : leaving }

    /// The time at which the current tag leaves; nil if it is not used, or if the host does not look for tags.
    private var leaving: Field.Instant? {
        guard let lastUse, let watched else { return nil }
        return max(lastUse + dwell, watched)
    }

    /// Returns the tag in the field at the time `now`; nil if the field is empty.
    ///
    /// `current` is the tag that was there at the last call.
    mutating func advance(current: (any VirtualTag)?, to now: Field.Instant) -> (any VirtualTag)? {
        var current = current
        if current != nil, let leaving, now >= leaving {
            current = nil
            leave(at: leaving)
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
    mutating func currentWasRemoved() {
        forgetUse()
        nextArrival = nil
    }

    mutating func currentWasLost(at now: Field.Instant) { leave(at: now) }

    mutating func noteUse(_ frame: [UInt8], at now: Field.Instant) {
        guard lastUse == nil || frame != lastFrame else { return noteLook(at: now) }
        forgetUse()
        (lastUse, lastFrame) = (now, frame)
    }

    mutating func noteLook(at now: Field.Instant) {
        looks += 1
        if looks >= Self.looksBeforeLeaving { noteWatch(at: now) }
    }

    mutating func noteWatch(at now: Field.Instant) { watched = watched ?? now }

    private mutating func forgetUse() { (lastUse, lastFrame, looks, watched) = (nil, [], 0, nil) }

    private mutating func leave(at time: Field.Instant) {
        forgetUse()
        nextArrival = waiting.isEmpty ? nil : time + gap
    }
}
