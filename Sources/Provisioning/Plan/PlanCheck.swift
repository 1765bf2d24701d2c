// A whole plan, checked before the first tag — CLI.md, provision

import NDEF
public import PhoneLint

/// What is found out about a plan row by row.
public struct PlanCheck: Sendable {
    /// So many bad rows are kept, the others are counted.
    public static let badRowLimit = 1000
    /// Stands for the UID of a tag to come: 7 bytes, as nearly all have.
    private static let sampleUID: [UInt8] = [0x04, 0, 0, 0, 0, 0, 0]

    private let recipe: RowRecipe
    /// The rows that are none, or make no message that fits; the first ``badRowLimit``.
    public private(set) var badRows: [PlanError] = []
    /// How many there are in all.
    public private(set) var badRowCount = 0
    /// The rows that can be carried out.
    public private(set) var goodRowCount = 0
    /// The length of the shortest and the longest message in bytes; nil without any.
    public private(set) var messageLengths: ClosedRange<Int>?
    /// The exchanges with Type 2 Tags that all rows take.
    public private(set) var exchanges = ExchangeEstimate.none

    /// Begins to check a plan that is carried out like this.
    public init(recipe: RowRecipe) { self.recipe = recipe }

    /// Which kinds of tag hold all messages.
    public var fits: [TagFit] { messageLengths.map { TagFit.all(forLength: $0.upperBound) } ?? [] }

    /// Checks an entry; nil when it is kept among ``badRows``.
    public mutating func add(_ entry: PlanEntry) -> CheckedRow? {
        do throws(PlanError) {
            switch entry {
            case .bad(let error): throw error
            case .row(let row):
                let checked = try check(row)
                let length = checked.messageLength
                goodRowCount += 1
                exchanges += ExchangeEstimate(messageLength: length)
                messageLengths =
                    min(
                        messageLengths?.lowerBound ?? length, length)...max(
                        messageLengths?.upperBound ?? length, length)
                return checked
            }
        } catch {
            badRowCount += 1
            if badRows.count < Self.badRowLimit { badRows.append(error) }
            return nil
        }
    }

    private func check(_ row: PlanRow) throws(PlanError) -> CheckedRow {
        let order = try recipe.order(for: row)
        let message = try order.message(uid: Self.sampleUID)
        let length = message.message.length
        if let chip = order.settings.require, let capacity = chip.capacity, length > capacity {
            throw PlanError(line: row.line, .tooLarge(needed: length, capacity: capacity, chip: chip.name))
        }
        return CheckedRow(order: order, message: message, messageLength: length)
    }
}

/// A row that can be carried out.
public struct CheckedRow: Sendable {
    /// What it orders.
    public let order: RowOrder
    /// Its message for a tag whose UID is 04 and six zeros.
    public let message: OrderedMessage
    /// In bytes.
    public let messageLength: Int
}

/// How many exchanges a row takes on a Type 2 Tag: an estimate, from which the time follows.
public struct ExchangeEstimate: Hashable, Sendable {
    /// READ, 16 bytes each.
    public private(set) var reads: Int
    /// WRITE, 4 bytes each.
    public private(set) var writes: Int

    static let none = ExchangeEstimate(reads: 0, writes: 0)

    private init(reads: Int, writes: Int) {
        self.reads = reads
        self.writes = writes
    }

    /// Estimates for a message: its TLV and terminator once written, closed and opened, and read back twice.
    public init(messageLength: Int) {
        // T, L of 1 byte or 3 from 255 bytes on, and the Terminator TLV — NFC Forum Type 2 Tag, TLV blocks.
        let length = messageLength + (messageLength < 0xFF ? 2 : 4) + 1
        let pages = (length + 3) / 4
        writes = pages + 2
        // UID, capability container and what was there before in about four more.
        reads = 2 * ((pages + 3) / 4) + 4
    }

    static func += (total: inout ExchangeEstimate, more: ExchangeEstimate) {
        total.reads += more.reads
        total.writes += more.writes
    }
}
