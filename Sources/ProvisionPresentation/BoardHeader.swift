// The first lines of a board

import Provisioning
import Terminal

extension InkedText {
    /// Returns a title with the elapsed time at the end of the line.
    static func title(_ text: String, elapsed: Duration, width: Int) -> InkedText {
        let clock = InkedText(ProvisionFigure.clock(elapsed), .faint)
        let title = InkedText(text, .heading).cut(to: max(1, width - clock.columns - 2))
        return title.padded(to: width - clock.columns) + clock
    }

    /// Returns facts next to each other, on as few lines as possible.
    static func lines(of facts: [InkedText], width: Int) -> [InkedText] {
        var lines: [InkedText] = []
        var line = InkedText("")
        for fact in facts {
            if line.columns > 0, line.columns + 3 + fact.columns > width {
                lines.append(line)
                line = InkedText("")
            }
            line += line.columns > 0 ? InkedText("   ") + fact : fact
        }
        return line.columns > 0 ? lines + [line] : lines
    }
}
