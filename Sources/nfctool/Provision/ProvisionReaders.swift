// All readers at work on one plan; one that fails is set aside until it is back — Docs/CommandLine.md, provision

import Foundation
import ReaderInterface
import Provisioning
import ReaderSession
import SafeTag
import TagTypes

/// The readers of a run.
struct ProvisionReaders: Sendable {
    let desk: ProvisionDesk
    let recipe: RowRecipe
    let options: ProvisionOptions
    let tell: @Sendable (ProvisionEvent) -> Void

    /// Works with all of them until the plan is over.
    ///
    /// What concerns all of them ends all of them, each once it is done with the tag it has.
    /// - Throws: that: the journal, the user's end; and a reader's error when none could be opened.
    func run(_ readers: [String?]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for reader in readers {
                group.addTask {
                    do {
                        try await keepWorking(with: reader, of: readers.count)
                    } catch {
                        await desk.stop()
                        throw error
                    }
                }
            }
            try await group.waitForAll()
        }
    }

    private func keepWorking(with reader: String?, of count: Int) async throws {
        let name = reader ?? "auto"
        var failure: (any Error)?
        while try await !desk.isOver() {
            do {
                try await work(with: await desk.lastingName(of: name) ?? reader, named: name)
                failure = nil
            } catch {
                guard let loss = ReaderLoss(error) else { throw error }
                let isNew = await desk.readerLost(name)
                if await desk.noneOpened(of: count) { throw error }
                if isNew {
                    let opened = await desk.openName(of: name)
                    let reason = loss.reason(for: await desk.lastingName(of: name) ?? name)
                    tell(.readerLost(reader: opened ?? name, name: ErrorName(loss.kind), reason: reason))
                }
                failure = error
                try await ReaderLoss.pause()
            }
        }
        // Rows are left because it is gone: that is what the user is to know.
        if let failure, count == 1, try await !desk.isComplete() { throw failure }
    }

    private func work(with reader: String?, named name: String) async throws {
        let credential = try options.password.credential()
        let setup = TagSession.Setup(
            reader: reader, opening: credential, for: .reading, gate: PasswordGate(.given(options.output.yes)))
        let command = options.exec.map { TagCommand($0, output: options.output) }
        try await TagSession.runUntilSignal(setup) { session in
            let signals = options.signals
            let delivery = RowDelivery(session: session, desk: desk, recipe: recipe, mayInitialise: options.output.yes)
            {
                tell($0)
                if let event = $0.signal { session.show(event, signals) }
            }
            var station = ProvisionStation(session, delivery, command: command) {
                await desk.readerOpened(
                    name, as: session.reader, lastingName: session.session.lastingReader)
                tell(.readerOpened(reader: session.reader))
            }
            try await station.run()
            // The last tag's is heard before the reader is closed.
            await session.signalsEnd()
        }
    }
}
