// One line for each event of a scan

package import Foundation

package struct EventLine {
    package enum Event: Equatable {
        case arrived
        case other(String)
    }

    private let style: Style

    package init(style: Style) { self.style = style }

    package func print(_ event: String, uid: String, at time: Date) {
        StandardOutput.print(line(.other(event), uid: uid, at: time))
    }

    /// Returns the line with time, mark, UID and facts, cut to the terminal's width.
    package func line(_ event: Event, uid: String, _ facts: String = "", at time: Date) -> String {
        let clock = time.clock
        let uid = TerminalText.escaped(uid)
        switch event {
        case .arrived:
            let rest = style.isTerminal ? facts.cut(to: room(for: uid, at: time)) : facts
            return style.paint(clock, .faint) + style.glyph("  " + style.paint("●", .good) + " ", plain: "  ")
                + style.paint(uid, .strong) + "  " + rest
        case .other(let event):
            return style.paint(clock, .faint) + style.glyph("  " + style.paint("○", .faint) + " ", plain: "  ")
                + style.paint("\(uid)  \(TerminalText.escaped(event))", .faint)
        }
    }

    /// Returns the number of columns for the facts about a tag that arrived.
    package func room(for uid: String, at time: Date) -> Int {
        max(style.width - (time.clock + "  ● " + uid + "  ").columns, 1)
    }
}
