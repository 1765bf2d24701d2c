// nfctool provision status: shows the progress of a plan

import ArgumentParser
import Foundation
import ProvisionPresentation
import Provisioning
import Synchronization
import Terminal

struct ProvisionStatusCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "status",
        abstract: "Show the progress of a plan, even while another nfctool works on it.",
        discussion: """
            Without a name, shows the only journal in this folder. With --watch, runs until all rows are provisioned, \
            or until Ctrl-C.

              nfctool provision status tags.csv
              nfctool provision status --journal postgresql://screen@db.example.com/shop --watch
            """)

    @Argument(help: "The plan, or its journal.", completion: .file())
    var plan: String?

    @Flag(help: "Keep updating rows, rate, stations, refusals by reader, and silent stations.")
    var watch = false

    @OptionGroup var journal: JournalArgument
    @OptionGroup(title: HelpText.shared) var output: PrintOptions

    func run() async throws {
        let plan = try self.journal.plan(or: self.plan)
        if watch { return try await follow(plan) }
        let (journal, file) = try self.journal.open(plan, reading: true)
        let status = try ProvisionStatus(journal, name: file?.lastPathComponent ?? journal.name)
        if output.json {
            try JSONLine.print(status)
        } else {
            let named = self.journal.repeated(for: plan.map { PlanSource.file($0) })
            StandardOutput.print(status.text(.standardOutput, naming: named))
        }
    }

    private func follow(_ plan: String?) async throws {
        StandardOutput.endWhenUnread()
        try await Interruption.cancelling {
            let journal = try await awaited(plan)
            let teller = SightTeller(isJSON: output.json)
            defer { teller.finish() }
            try await PlanWatch(journal).run { sight in try teller.tell(sight) }
        }
    }

    /// Opens the journal.
    ///
    /// If a database has no plans at all, waits for the first one, so that a display can be turned on before the work
    /// begins.
    private func awaited(_ plan: String?) async throws -> any ProvisionJournal {
        var isTold = false
        while true {
            do {
                return try journal.open(plan, reading: true).journal
            } catch JournalError.noSuchPlan(let name, _, let known) where known.isEmpty {
                if !isTold {
                    Hint(json: output.json, quiet: false).tell("\(name) has no plan yet. Waiting for the first one.")
                }
                isTold = true
                try await Task.sleep(for: .seconds(1))
            }
        }
    }
}

private final class SightTeller: Sendable {
    private let isJSON: Bool
    private let panel = Mutex(PlanPanel())
    private let changes = Mutex(SightChanges())
    private let view = Mutex<LiveView?>(nil)

    init(isJSON: Bool) {
        self.isJSON = isJSON
        guard !isJSON, Style.standardOutput.isDecorated else { return }
        let view = LiveView(on: STDOUT_FILENO) { [weak self] style, height, _, _ in
            self?.panel.withLock { $0.lines(style, height: height) } ?? []
        }
        self.view.withLock { $0 = view }
    }

    func tell(_ sight: PlanWatch.Sight) throws -> Bool {
        panel.withLock { $0.show(sight) }
        if let view = view.withLock({ $0 }) {
            view.update()
        } else if changes.withLock({ $0.isNew(sight) }) {
            if isJSON { try JSONLine.print(sight) } else { StandardOutput.print(sight.line) }
        }
        if case .overview(let overview) = sight { return !overview.counts.isComplete }
        return true
    }

    func finish() { view.withLock { $0.take() }?.finish() }
}
