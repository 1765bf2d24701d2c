// A bar that shows how full a tag is

import Hexadecimal
package import Terminal

/// The used part of a tag's capacity.
package struct CapacityBar {
    private static let lengths = 4...24
    /// The maximum width of the words next to the bar, in columns.
    private static let wordsWidth = 44
    private static let almostFull = 0.9

    private let used: Int
    private let capacity: Int
    private let style: Style

    /// Creates a bar from numbers of bytes.
    ///
    /// Any values that a tag reports are accepted.
    package init(used: Int, capacity: Int, style: Style) {
        self.used = max(0, used)
        self.capacity = max(0, capacity)
        self.style = style
    }

    /// The bar and the words, for example `█████░░░░ 57 of 492 bytes (12 %)`.
    ///
    /// Without a terminal, only the words.
    package var text: String {
        let words = "\(used) of \(ByteCount(capacity))" + (capacity > 0 ? " (\(percent))" : "")
        guard style.isDecorated, capacity > 0 else { return words }
        return style.paint(String(repeating: "█", count: filledLength), fraction < Self.almostFull ? .good : .warning)
            + style.paint(String(repeating: "░", count: length - filledLength), .faint) + " " + words
    }

    private var length: Int {
        min(max(style.width - Self.wordsWidth, Self.lengths.lowerBound), Self.lengths.upperBound)
    }

    private var fraction: Double { Double(used) / Double(max(capacity, 1)) }

    private var percent: String {
        switch Int((min(fraction, 1e6) * 100).rounded()) {
        case 0 where used > 0: "under 1 %"
        case 100 where used < capacity: "99 %"
        case let number: "\(number) %"
        }
    }

    /// The number of filled cells.
    ///
    /// The bar is empty or full only if the tag is empty or full.
    private var filledLength: Int {
        guard used > 0 else { return 0 }
        guard used < capacity else { return length }
        return min(max(Int((fraction * Double(length)).rounded()), 1), length - 1)
    }
}
