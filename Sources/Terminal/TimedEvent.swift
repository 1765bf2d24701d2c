// An event in JSON with the time at which it happened — RFC 3339, 5.6

package import Foundation

/// An event in a stream, with the additional member `time`: UTC with milliseconds, `2026-11-23T17:05:09.123Z`.
package struct TimedEvent<Event: Encodable & Sendable>: Encodable, Sendable {
    package let event: Event
    package let time: Date

    package init(_ event: Event, at time: Date) { (self.event, self.time) = (event, time) }

    private enum Key: CodingKey { case time }

    package func encode(to encoder: any Encoder) throws {
        try event.encode(to: encoder)
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(time.inRFC3339, forKey: .time)
    }
}

extension Date {
    /// The time in UTC, rounded to the nearest millisecond.
    package var inRFC3339: String {
        let milliseconds = Int64((timeIntervalSince1970 * 1000).rounded())
        // The format truncates, and binary fractions may be slightly too small.
        return Date(timeIntervalSince1970: (Double(milliseconds) + 0.25) / 1000)
            .formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }
}

extension Date {
    /// The time of day in hours, minutes and seconds, in the time zone of this machine.
    package var clock: String {
        var seconds = time_t(timeIntervalSince1970)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return "--:--:--" }
        return [local.tm_hour, local.tm_min, local.tm_sec].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
    }

    package var preciseClock: String {
        let milliseconds = Int64((timeIntervalSince1970 * 1000).rounded(.down))
        let fraction = ((milliseconds % 1000) + 1000) % 1000
        return clock + "." + String(1000 + fraction).dropFirst()
    }
}

extension JSONLine {
    /// Prints an event with its time on stdout at once.
    package static func print(_ event: some Encodable & Sendable, at time: Date, after change: String? = nil) throws {
        try print(TimedEvent(event, at: time), after: change)
    }
}
