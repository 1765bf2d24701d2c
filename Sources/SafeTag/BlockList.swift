// Lists of block numbers for people, in which consecutive numbers are shown as ranges

/// Block numbers as people write them: `blocks 0-2, 40`.
package struct BlockList: CustomStringConvertible {
    private let numbers: [Int]
    private let noun: String

    /// Creates a list of numbers, which may be given in any order.
    ///
    /// `noun` names the numbers in the singular. The plural adds an *s*.
    package init(_ numbers: [Int], of noun: String = "block") { (self.numbers, self.noun) = (numbers.sorted(), noun) }

    package var description: String {
        var runs: [ClosedRange<Int>] = []
        for number in numbers {
            if let last = runs.last, number == last.upperBound + 1 {
                runs[runs.count - 1] = last.lowerBound...number
            } else {
                runs.append(number...number)
            }
        }
        let texts = runs.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)-\($0.upperBound)" }
        return (numbers.count == 1 ? "\(noun) " : "\(noun)s ") + texts.joined(separator: ", ")
    }
}
