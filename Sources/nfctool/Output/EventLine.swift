// One line for one event of a scan

import Foundation
import Terminal

/// Tells what happened to a tag, and when.
struct EventLine {
    /// What happened.
    enum Event: Equatable {
        case arrived
        case other(String)
    }

    private let style: Style

    init(style: Style) { self.style = style }

    /// Prints an event, for example `removed`.
    func print(_ event: String, uid: String, at time: Date) {
        StandardOutput.print(line(.other(event), uid: uid, at: time))
    }

    /// The line: time, mark, UID, what else there is to say; cut to the terminal's width.
    func line(_ event: Event, uid: String, _ facts: String = "", at time: Date) -> String {
        let clock = Self.clock(time)
        let uid = TerminalText.escaped(uid)
        switch event {
        case .arrived:
            let left = style.width - (clock + "  ● " + uid + "  ").columns
            let rest = style.isTerminal ? facts.cut(to: max(left, 1)) : facts
            return style.paint(clock, .faint) + style.glyph("  " + style.paint("●", .good) + " ", plain: "  ")
                + style.paint(uid, .strong) + "  " + rest
        case .other(let event):
            return style.paint(clock, .faint) + style.glyph("  " + style.paint("○", .faint) + " ", plain: "  ")
                + style.paint("\(uid)  \(TerminalText.escaped(event))", .faint)
        }
    }

    /// Hours, minutes and seconds here.
    private static func clock(_ time: Date) -> String {
        var seconds = time_t(time.timeIntervalSince1970)
        var local = tm()
        guard localtime_r(&seconds, &local) != nil else { return "--:--:--" }
        return [local.tm_hour, local.tm_min, local.tm_sec].map { ($0 < 10 ? "0" : "") + "\($0)" }.joined(separator: ":")
    }
}
