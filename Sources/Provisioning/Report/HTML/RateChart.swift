// The rate over time as a chart — SVG 2

import Foundation

/// A bar chart of the rate in equal periods of time, with round numbers on the axes.
///
/// Horizontal positions are percentages of the width, so that the text keeps its size on a phone and on paper.
struct RateChart {
    private static let height = 180.0
    private static let barLimit = 60
    private static let tickLimit = 5
    /// Steps of the time axis in seconds, chosen so that the ticks are round times of day.
    private static let steps = [
        1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 10_800, 21_600, 43_200, 86_400,
    ]

    let clock: ReportClock
    private let first: Date
    private let last: Date
    private let rates: [Double]
    private let average: Double

    /// Creates a chart, or returns nil unless at least two tags were verified, at different times.
    init?(of pace: Pace, clock: ReportClock) {
        guard let span = pace.span, let average = pace.tagsPerMinute else { return nil }
        self.clock = clock
        first = span.first
        last = span.last
        rates = pace.rates(parts: min(Self.barLimit, max(8, pace.count / 2)))
        self.average = average
    }

    var html: String {
        let top = Self.roundTop(over: max(rates.max() ?? 0, average))
        let count = Double(rates.count)
        var bars = ""
        for (index, rate) in rates.enumerated() where rate > 0 {
            let height = max(1, rate / top.value * Self.height)
            bars += "<rect x=\"\(Self.percent((Double(index) + 0.08) / count))\""
            bars += " y=\"\(Self.point(Self.height - height))\""
            bars += " width=\"\(Self.percent(0.84 / count))\" height=\"\(Self.point(height))\"/>"
        }
        let line = Self.point(Self.height - average / top.value * Self.height)
        return """
            <figure class="chart">
            <svg width="100%" height="\(Self.point(Self.height))" role="img" aria-label="Tags per minute over time">
            \(yAxis(top))<g class="bars">\(bars)</g>
            <line class="average" x1="0" x2="100%" y1="\(line)" y2="\(line)"/>
            \(xAxis)</svg>
            <figcaption>Tags per minute; each column is \(Self.span(last.timeIntervalSince(first) / count)). The \
            dashed line is the average while working, \(Figure.short(average)), without pauses of more than two \
            minutes. Times of day in \(clock.name), \(days).</figcaption>
            </figure>

            """
    }

    private func yAxis(_ top: (value: Double, step: Double)) -> String {
        var text = ""
        for index in 0...Int((top.value / top.step).rounded()) {
            let value = Double(index) * top.step
            let y = Self.point(Self.height - value / top.value * Self.height)
            text += "<line class=\"\(index == 0 ? "base" : "grid")\" x1=\"0\" x2=\"100%\" y1=\"\(y)\" y2=\"\(y)\"/>"
            text += "<text x=\"-8\" y=\"\(y)\" dy=\"0.33em\" text-anchor=\"end\">\(Self.plain(value))</text>\n"
        }
        return text
    }

    private var xAxis: String {
        let begin = first.timeIntervalSince1970
        let length = last.timeIntervalSince1970 - begin
        let step = Self.timeStep(for: length)
        let offset = Double(clock.offset)
        var text = ""
        var tick = ((begin + offset) / step).rounded(.up) * step - offset
        while tick <= begin + length {
            let place = (tick - begin) / length
            let date = Date(timeIntervalSince1970: tick)
            let isDay = (tick + offset).truncatingRemainder(dividingBy: 86_400) == 0
            let time = clock.time(date)
            let label = isDay ? clock.shortDay(date) : step < 60 ? time : String(time.prefix(5))
            let anchor = place < 0.04 ? "start" : place > 0.96 ? "end" : "middle"
            text += "<line class=\"base\" x1=\"\(Self.percent(place))\" x2=\"\(Self.percent(place))\""
            text += " y1=\"\(Self.point(Self.height))\" y2=\"\(Self.point(Self.height + 5))\"/>"
            text += "<text x=\"\(Self.percent(place))\" y=\"\(Self.point(Self.height + 20))\""
            text += " text-anchor=\"\(anchor)\">\(label)</text>\n"
            tick += step
        }
        return text
    }

    private var days: String {
        let (from, to) = (clock.longDay(first), clock.longDay(last))
        return from == to ? from : "\(from) to \(to)"
    }

    /// Returns the shortest round step, in seconds, that keeps the number of ticks within the limit.
    private static func timeStep(for length: Double) -> Double {
        if let step = steps.first(where: { length / Double($0) <= Double(tickLimit) }) { return Double(step) }
        return (length / Double(tickLimit) / 86_400).rounded(.up) * 86_400
    }

    /// Returns the end of the vertical axis, and the step between its lines: 1, 2 or 5 times a power of ten.
    private static func roundTop(over value: Double) -> (value: Double, step: Double) {
        let rough = max(value, 0.001) / 5
        let power = pow(10, floor(log10(rough)))
        let step = power * (rough / power <= 1 ? 1 : rough / power <= 2 ? 2 : rough / power <= 5 ? 5 : 10)
        return ((value / step).rounded(.up) * step, step)
    }

    private static func span(_ seconds: Double) -> String {
        switch seconds {
        case ..<99.5: "\(Figure.decimal(seconds, places: seconds < 9.95 ? 1 : 0))\u{202F}s"
        case ..<5970: "\(Figure.decimal(seconds / 60, places: seconds < 597 ? 1 : 0))\u{202F}min"
        case ..<172_800: "\(Figure.decimal(seconds / 3600, places: 1))\u{202F}h"
        default: "\(Figure.decimal(seconds / 86_400, places: 1)) days"
        }
    }

    private static func plain(_ value: Double) -> String {
        value < 10_000 ? String(format: "%g", value) : Figure.grouped(Int(value))
    }
    private static func percent(_ part: Double) -> String { Figure.decimal(part * 100, places: 2) + "%" }
    private static func point(_ value: Double) -> String { Figure.decimal(value, places: 1) }
}
