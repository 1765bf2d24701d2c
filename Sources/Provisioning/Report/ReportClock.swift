// Times in the formats that a report shows — RFC 3339

import Foundation
import Glibc

/// Formats times with a fixed offset from UTC, which the report names.
///
/// Times therefore remain unambiguous in a run during which the clocks change to or from summer time.
struct ReportClock {
    /// The offset in seconds, positive east of Greenwich.
    let offset: Int

    private static let months = [
        "January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November",
        "December",
    ]

    /// Uses the offset that a time zone has at a certain time.
    init(timeZone: TimeZone, at date: Date) {
        offset = timeZone.secondsFromGMT(for: Date(timeIntervalSince1970: Double(Self.milliseconds(of: date) / 1000)))
    }

    /// The name of the offset, for example `UTC+01:00`, or `UTC` if the offset is zero.
    var name: String {
        guard offset != 0 else { return "UTC" }
        let minutes = abs(offset) / 60
        return "UTC\(offset < 0 ? "\u{2212}" : "+")\(Self.two(minutes / 60)):\(Self.two(minutes % 60))"
    }

    /// Formats a time in UTC, for example `2026-11-21T16:33:05.123Z`.
    static func utc(_ date: Date) -> String {
        let time = milliseconds(of: date)
        let (second, rest) = time.quotientAndRemainder(dividingBy: 1000)
        let parts = parts(rest < 0 ? second - 1 : second)
        let thousandths = rest < 0 ? rest + 1000 : rest
        let fraction = String(1000 + thousandths).dropFirst()
        return "\(day(parts))T\(clock(parts)).\(fraction)Z"
    }

    /// Formats a date and time, for example `2026-11-21 16:33:05`.
    func dayAndTime(_ date: Date) -> String { "\(day(date)) \(time(date))" }

    /// Formats a date, for example `2026-11-21`.
    func day(_ date: Date) -> String { Self.day(local(date)) }

    /// Formats a time of day, for example `16:33:05`.
    func time(_ date: Date) -> String { Self.clock(local(date)) }

    /// Formats a date in words, for example `21 November 2026`.
    func longDay(_ date: Date) -> String {
        let parts = local(date)
        return "\(parts.tm_mday) \(Self.months[Int(parts.tm_mon)]) \(Int(parts.tm_year) + 1900)"
    }

    /// Formats a date without the year, for example `21 Nov`.
    func shortDay(_ date: Date) -> String {
        let parts = local(date)
        return "\(parts.tm_mday) \(Self.months[Int(parts.tm_mon)].prefix(3))"
    }

    private func local(_ date: Date) -> tm { Self.parts(Self.milliseconds(of: date) / 1000 + offset) }

    private static func parts(_ second: Int) -> tm {
        var second = second
        var parts = tm()
        gmtime_r(&second, &parts)
        return parts
    }

    private static func day(_ parts: tm) -> String {
        let year = String(10_000 + Int(parts.tm_year) + 1900).dropFirst()
        return "\(year)-\(two(Int(parts.tm_mon) + 1))-\(two(Int(parts.tm_mday)))"
    }

    private static func clock(_ parts: tm) -> String {
        "\(two(Int(parts.tm_hour))):\(two(Int(parts.tm_min))):\(two(Int(parts.tm_sec)))"
    }

    private static func two(_ number: Int) -> String { number < 10 ? "0\(number)" : String(number) }

    /// Returns the milliseconds from the beginning of 1970 (UTC) to a time.
    ///
    /// Times in a damaged journal may be out of range, so the result is limited to the years 2 to 9998.
    static func milliseconds(of date: Date) -> Int {
        let seconds = date.timeIntervalSince1970
        guard seconds > -62_100_000_000 else { return -62_100_000_000_000 }
        guard seconds < 253_300_000_000 else { return 253_300_000_000_000 }
        return Int((seconds * 1000).rounded())
    }
}
