// The progress of a plan as a bar of characters

import Provisioning
import Terminal

extension InkedText {
    /// Returns the progress as a bar with numbers, such as `██████░░░░  412 of 1000  41.2 %`.
    static func bar(_ done: Int, of rows: Int, width: Int) -> InkedText {
        let words = "  \(done) of \(rows)  \(ProvisionFigure.percent(done, of: rows))"
        let length = max(0, min(width - words.columns, 100))
        let filled: Int
        switch done {
        case ...0: filled = 0
        case rows...: filled = length
        // The bar is empty only if no row is done, and full only if all rows are.
        default: filled = min(max(1, Int(Double(done) / Double(rows) * Double(length))), max(0, length - 1))
        }
        return InkedText(String(repeating: "█", count: filled), .good)
            + InkedText(String(repeating: "░", count: length - filled), .faint) + InkedText(words, .strong)
    }
}
