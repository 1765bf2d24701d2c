// The readers on a board, each with its panel — Docs/CommandLine.md, provision

import Provisioning
import Terminal

/// The panels of the readers, in the order in which the command names them.
struct ReaderPanels: Sendable {
    private(set) var readers: [ProvisionBoardReader] = []
    /// The names under which the readers are shown.
    private(set) var names: ReaderNames
    /// The options that name the journal in printed commands.
    private let journal: String
    private let labels: RowLabels
    private var isDatabaseAway = false
    /// The positions of the readers in the command, by the names that the command gives and by the readers' own names.
    private var positions: [String: Int]

    /// Creates the panels for the readers of a command.
    ///
    /// `order` contains the readers' names in the order of the command line. The readers may be opened in any order.
    init(order: [String], names: ReaderNames, labels: RowLabels, naming journal: String = "") {
        positions = Dictionary(zip(order, 0...)) { first, _ in first }
        self.names = names
        self.journal = journal
        self.labels = labels
    }

    // MARK: Events

    mutating func apply(_ event: ProvisionEvent) {
        names.learn(event)
        switch event {
        case .readerOpened(let reader, let named):
            positions[reader] = positions[named]
            // Until a reader is opened for the first time, its panel shows the name from the command.
            let known = readers.firstIndex { $0.name == named }
            let index = known ?? place(of: reader)
            readers[index].opened(as: reader)
        case .readerLost(let reader, _, let reason):
            let known = readers.firstIndex { $0.name == reader }
            let index = known ?? newPlace(of: reader)
            readers[index].lost(because: reason)
        case .started(let tag, let row, _): readers[place(of: tag.reader)].started(tag, row)
        case .removed(let tag): readers[place(of: tag.reader)].removed(tag)
        case .weakField(let reader, let troubled, let count):
            readers[place(of: reader)].alarmed("antenna? \(troubled) of \(count) tags had trouble")
        case .manyRefused(let reader, let refused, let count):
            readers[place(of: reader)].alarmed("\(refused) of \(count) tags refused: wrong tags?")
        case .databaseAway: isDatabaseAway = true
        case .databaseBack: isDatabaseAway = false
        case .ended, .checkedAll: break
        default:
            guard let verdict = ProvisionVerdict(event, naming: journal) else { return }
            readers[place(of: verdict.tag.reader)].ended(with: verdict)
        }
    }

    /// Returns the index of a reader.
    ///
    /// A reader that returns under another name, for example on another USB port, keeps its index.
    private mutating func place(of name: String) -> Int {
        if let place = readers.firstIndex(where: { $0.name == name }) { return place }
        if let place = readers.firstIndex(where: { $0.mayComeBack(as: name) }) { return place }
        return newPlace(of: name)
    }

    private mutating func newPlace(of name: String) -> Int {
        let place = readers.firstIndex { position(of: $0.name) > position(of: name) } ?? readers.count
        readers.insert(ProvisionBoardReader(name: name, labels: labels), at: place)
        return place
    }

    private func position(of name: String) -> Int { positions[name] ?? .max }

    // MARK: Lines

    /// Returns the panels as lines, as large as `room` allows.
    ///
    /// `isWithoutRows` is whether no rows are left for new tags, so that only tags that already have a row can
    /// continue.
    func lines(_ width: Int, room: Int, isWithoutRows: Bool = false) -> [InkedText] {
        let next: NextTag = isDatabaseAway ? .none : isWithoutRows ? .withRow : .any
        guard !readers.isEmpty else { return [InkedText("Looking for the reader.", .faint)] }
        let rules = readers.count > 1 ? 1 : 0
        let form = ProvisionBoardReader.Form.allCases.first { form in
            form == .line || (form.lines + rules) * readers.count <= room
        }
        return readers.flatMap { reader in
            let lines = reader.lines(
                form ?? .line, names.short(reader.name), width: width, next: next)
            guard rules > 0, form != .line else { return lines }
            let rule = InkedText("─ \(names[reader.name].cutInTheMiddle(to: width - 4)) ", .faint)
            return [rule + InkedText(String(repeating: "─", count: max(0, width - rule.columns)), .faint)] + lines
        }
    }
}
