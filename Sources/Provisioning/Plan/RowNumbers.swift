// Lists of row numbers in a few words

/// Row numbers in ascending order.
///
/// The first few ranges are kept. All other numbers are only counted.
public struct RowNumbers: Hashable, Sendable {
    private static let keptRanges = 5
    private var ranges: [ClosedRange<Int>] = []
    private var unnamed = 0

    /// Creates an empty list.
    public init() {}

    /// Creates a list from the numbers in a set.
    public init(_ numbers: Set<Int>) { for number in numbers.sorted() { add(number) } }

    /// The first number, or nil if there is none.
    public var first: Int? { ranges.first?.lowerBound }

    /// The number of row numbers in the list.
    public var count: Int { ranges.reduce(unnamed) { $0 + $1.count } }

    /// Adds a number that is greater than all existing ones.
    public mutating func add(_ number: Int) {
        if unnamed == 0, let last = ranges.last, last.upperBound == number - 1 {
            ranges[ranges.count - 1] = last.lowerBound...number
        } else if unnamed == 0, ranges.count < Self.keptRanges {
            ranges.append(number...number)
        } else {
            unnamed += 1
        }
    }

    /// The rows in words, such as `row 3`, `rows 1 to 1000` or `rows 1, 3, 5 to 9 and 12 more`.
    public var text: String { text(of: "row") }

    /// Returns the numbers in words after a noun, such as `lines 4 to 9`.
    package func text(of noun: String) -> String {
        var parts = ranges.flatMap { range in
            range.count <= 2 ? range.map { "\($0)" } : ["\(range.lowerBound) to \(range.upperBound)"]
        }
        if unnamed > 0 { parts.append("\(unnamed) more") }
        let list =
            parts.count < 2
            ? parts.joined() : parts.dropLast().joined(separator: ", ") + " and " + parts[parts.count - 1]
        return noun + (count == 1 ? " " : "s ") + list
    }

    /// The rows in words, with a capital letter for the beginning of a sentence, such as `Row 3`.
    package var capitalizedText: String { text.prefix(1).uppercased() + text.dropFirst() }
}
