// A plan without a file: a range of numbers — Docs/CommandLine.md, provision

import DurableFiles
import Foundation

/// The numbers from a first to a last one.
///
/// Each row has one number, in a column `n`.
public struct PlanRange: Hashable, Sendable {
    /// The first number, 0 or more.
    public let first: Int
    /// The upper limit, at least ``first``.
    public let last: Int
    /// The difference between two consecutive numbers, 1 or more.
    public let step: Int

    /// The maximum number of rows.
    ///
    /// A longer range is probably a mistake: even a journal with this many rows takes a gigabyte.
    public static let rowLimit = 10_000_000

    /// Reads a range such as `1-1000`.
    public init(_ text: String, step: Int = 1) throws(PlanError) {
        func bad(_ reason: String) -> PlanError { PlanError(.badRange(text, reason: reason)) }
        let parts = text.split(separator: "-", omittingEmptySubsequences: false)
        guard parts.count == 2, let first = Self.number(parts[0]), let last = Self.number(parts[1]) else {
            throw bad("A range is two numbers: 1-1000.")
        }
        guard !parts.contains(where: { $0.count > 1 && $0.hasPrefix("0") }) else {
            throw bad("Write it without leading zeros. {n:0\(parts[1].count)} writes numbers with zeros.")
        }
        guard first <= last else { throw bad("The first number is larger than the last.") }
        guard step >= 1 else { throw bad("The step must be at least 1.") }
        guard (last - first) / step < Self.rowLimit else { throw bad("It has more than \(Self.rowLimit) numbers.") }
        (self.first, self.last, self.step) = (first, last, step)
    }

    /// Parses a number that consists only of digits.
    ///
    /// `Int(_:)` alone would also accept a sign.
    private static func number(_ text: Substring) -> Int? {
        text.allSatisfy { $0.isASCII && $0.isNumber } ? Int(text) : nil
    }

    /// Reads the range from a file name without an extension, or returns nil for any other name.
    public init?(fileName: some StringProtocol) {
        guard fileName.hasPrefix(Self.prefix) else { return nil }
        let parts = fileName.dropFirst(Self.prefix.count).components(separatedBy: Self.stepInfix)
        guard parts.count <= 2, let step = parts.count == 1 ? 1 : Int(parts[1]),
            let range = try? PlanRange(parts[0], step: step), range.fileName == fileName
        else { return nil }
        self = range
    }

    private static let (prefix, stepInfix) = ("range-", "-step-")

    /// Whether this range begins with all rows of another range and has more after them.
    public func continues(_ other: PlanRange) -> Bool {
        first == other.first && step == other.step && (last - first) / step > (other.last - first) / step
    }

    /// Returns the first and the last number that this range shares with another one, or nil if they share none.
    public func numbers(commonWith other: PlanRange) -> ClosedRange<Int>? {
        let (shorter, longer) = count < other.count ? (self, other) : (other, self)
        let isCommon = { index in longer.contains(shorter.first + index * shorter.step) }
        guard let start = (0..<shorter.count).first(where: isCommon),
            let end = (start..<shorter.count).last(where: isCommon)
        else { return nil }
        return shorter.first + start * shorter.step...shorter.first + end * shorter.step
    }

    private var count: Int { (last - first) / step + 1 }

    private func contains(_ number: Int) -> Bool {
        number >= first && number <= last && (number - first).isMultiple(of: step)
    }

    /// Reads a range from its ``options``, which journals store, or returns nil for any other text.
    init?(options: String) {
        let words = options.split(separator: " ")
        guard words.count == 2 || words.count == 4, let step = words.count == 4 ? Int(words[3]) : 1,
            let range = try? PlanRange(String(words[1]), step: step), range.options == options
        else { return nil }
        self = range
    }

    /// The text with which the ``options`` of each range begin.
    package static let optionsPrefix = "--range "

    /// The options for the command line.
    public var options: String { "\(Self.optionsPrefix)\(first)-\(last)" + (step == 1 ? "" : " --step \(step)") }

    /// The file name for the range, without an extension: `range-1-1000`.
    var fileName: String { "\(Self.prefix)\(first)-\(last)" + (step == 1 ? "" : "\(Self.stepInfix)\(step)") }
}

/// The rows of a range.
final class RangeRows: PlanReading {
    private let range: PlanRange
    private var count = 0

    /// The column with the number.
    ///
    /// A file cannot have a column with this name.
    static let column = "n"

    init(_ range: PlanRange) { self.range = range }

    let notes: [PlanNote] = []

    func columns() -> [String]? { [Self.column] }

    func next() -> PlanEntry? {
        guard count <= (range.last - range.first) / range.step else { return nil }
        let number = range.first + count * range.step
        count += 1
        return .row(PlanRow(number: count, line: count, fields: [PlanField(name: Self.column, value: "\(number)")]))
    }

    func digest() -> SHA256Digest { SHA256Digest(of: Array(range.options.utf8)) }
}
