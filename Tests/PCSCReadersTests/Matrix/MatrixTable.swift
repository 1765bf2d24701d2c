// The table of one model of reader: a row for each kind of tag, a column for each command

import ReaderInterface
import VirtualPCSC

/// The results of every command on every kind of tag.
struct MatrixTable: Sendable {
    private let model: PCSCReaderModel
    private var rows: [String] = []
    private(set) var failures: [String] = []
    /// The reasons why commands were refused.
    private(set) var refusals: [String] = []

    init(_ model: PCSCReaderModel) { self.model = model }

    static let legend = """
        +  works: the tag itself shows it
        r  this reader cannot send what it takes        x  this reader has no radio for the tag
        c  not possible on this kind of tag             n  no place for a message
        o  read-only                                    p  password wanted

        """

    private static let marks: [FailureKind: String] = [
        .wrongReader: "r", .wrongChip: "c", .notNDEF: "n", .readOnly: "o", .passwordNeeded: "p",
    ]
    private static let nameWidth = 20

    /// Adds the row for a kind of tag.
    ///
    /// `outcomes` is nil if the reader does not see the kind.
    mutating func add(_ kind: MatrixKind, _ outcomes: [MatrixCommand: MatrixOutcome]?) {
        var cells: [String] = []
        for command in MatrixCommand.allCases {
            switch outcomes?[command] {
            case nil: cells.append("x")
            case .works: cells.append("+")
            case .saysWhyNot(let reason, let text):
                cells.append(Self.marks[reason] ?? "\(reason)")
                refusals.append("\(reason) \(command): \(text)")
            case .fails(let text):
                cells.append("FAILS")
                failures.append("\(model.id) \(kind) \(command): \(text)")
            }
        }
        rows.append(Self.row("\(kind)", cells))
    }

    var text: String {
        ([Self.row(model.id, MatrixCommand.allCases.map(\.rawValue))] + rows).joined(separator: "\n") + "\n"
    }

    private static func row(_ name: String, _ cells: [String]) -> String {
        let fields = zip(MatrixCommand.allCases, cells).map { command, cell in
            padded(cell, to: command.rawValue.count + 1)
        }
        let line = padded(name, to: nameWidth) + fields.joined()
        return String(line.reversed().drop { $0 == " " }.reversed())
    }

    private static func padded(_ text: String, to width: Int) -> String {
        text + String(repeating: " ", count: max(1, width - text.count))
    }
}
