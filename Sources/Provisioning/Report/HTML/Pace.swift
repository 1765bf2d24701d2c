// The rate at which tags were verified, over time

import Foundation

/// Counts the verified tags in slots of time.
///
/// If there are too many slots, they are merged into longer ones to limit the use of memory.
struct Pace {
    /// The longest time between two tags that still counts as work, in seconds.
    ///
    /// A longer time counts as a pause.
    static let longestWait = 120.0
    private static let slotLimit = 20_000

    private struct Slot {
        var count: Int
        var first: Int
        var last: Int
    }

    /// The length of each slot in seconds.
    ///
    /// It is doubled when there are too many slots.
    private var length = 1
    private var slots: [Int: Slot] = [:]
    private(set) var count = 0

    mutating func add(_ time: Date) {
        count += 1
        let time = ReportClock.milliseconds(of: time)
        merge(Slot(count: 1, first: time, last: time))
        guard slots.count > Self.slotLimit else { return }
        length *= 2
        let old = slots.values
        slots.removeAll(keepingCapacity: true)
        for slot in old { merge(slot) }
    }

    private mutating func merge(_ slot: Slot) {
        let index = slot.first / (length * 1000)
        guard let other = slots[index] else {
            slots[index] = slot
            return
        }
        slots[index] = Slot(
            count: slot.count + other.count, first: min(slot.first, other.first), last: max(slot.last, other.last))
    }

    /// The times of the first and the last verified tag, or nil if there is no tag or the two times are equal.
    var span: (first: Date, last: Date)? {
        guard let first = slots.values.lazy.map(\.first).min(), let last = slots.values.lazy.map(\.last).max(),
            last > first
        else { return nil }
        return (Self.date(first), Self.date(last))
    }

    /// The number of tags per minute, not counting pauses, or nil if there is too little data.
    var tagsPerMinute: Double? {
        var waits = 0
        var worked = 0
        var previous: Int?
        for slot in slots.values.sorted(by: { $0.first < $1.first }) {
            waits += slot.count - 1
            worked += slot.last - slot.first
            if let previous, Double(slot.first - previous) <= Self.longestWait * 1000 {
                waits += 1
                worked += max(0, slot.first - previous)
            }
            previous = slot.last
        }
        guard waits > 0, worked > 0 else { return nil }
        return Double(waits) / (Double(worked) / 60_000)
    }

    /// Returns the rates in the given number of equal parts of the time span, in tags per minute.
    func rates(parts: Int) -> [Double] {
        guard let span, parts > 0 else { return [] }
        let first = Double(ReportClock.milliseconds(of: span.first))
        let width = (Double(ReportClock.milliseconds(of: span.last)) - first) / Double(parts)
        var rates = [Double](repeating: 0, count: parts)
        for slot in slots.values {
            let middle = (Double(slot.first) + Double(slot.last)) / 2
            rates[min(parts - 1, Int((middle - first) / width))] += Double(slot.count)
        }
        return rates.map { $0 / (width / 60_000) }
    }

    private static func date(_ milliseconds: Int) -> Date { Date(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
