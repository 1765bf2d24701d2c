// Looking for tags: poll after poll until some are there, and again when its owner wants the next

import Dispatch
package import ReaderInterface
import Synchronization

/// What a round of polling looks for.
package struct Polling: Sendable {
    /// The technologies, in order.
    package var technologies: [Technology]
    /// The identifiers of tags that are already known: a poll that finds another one looks with no further technology.
    ///
    /// Nil for polls that look with all technologies. Several tags of one technology are still distinguished.
    package var settled: Set<[UInt8]>?

    /// Looks for all technologies by default.
    package init(_ technologies: [Technology] = Technology.allCases, settled: Set<[UInt8]>? = nil) {
        self.technologies = technologies
        self.settled = settled
    }
}

extension SessionCore {
    /// Seconds between two polls of an empty field, which leaves the queue to others.
    private static let pollInterval = 0.05
    /// Seconds between two looks whether tags that were read have left.
    private static let removalInterval = 0.1

    /// Begins a new round of polling, in turn with the session's operations; tags found before are dead from then on.
    ///
    /// A reader without the radio for any of it ends the session, with ``SessionError/noRadio(_:reader:)``.
    ///
    /// - Parameter change: what to look for now, on the reader's queue; nothing is begun when it returns nil.
    package func restartPolling(_ change: @escaping @Sendable (Polling) -> Polling? = { $0 }) {
        guard let reader else { return }
        reader.queue.async {
            self.connected = nil
            guard let polling = change(self.polling) else { return }
            do throws(SessionError) {
                try self.requireRadio(for: polling)
            } catch {
                self.end(.client(error))
                return
            }
            self.polling = polling
            self.startPolling()
        }
    }

    /// Refuses a round of polling that could find nothing with this reader; on the reader's queue.
    ///
    /// - Throws: ``SessionError/noRadio(_:reader:)``.
    func requireRadio(for polling: Polling) throws(SessionError) {
        guard let reader = reader?.reader, reader.technologies.isDisjoint(with: polling.technologies) else { return }
        throw .noRadio(polling.technologies, reader: reader.connection)
    }

    /// Begins a new round of polling; on the reader's queue.
    func startPolling() {
        currentRound.add(1, ordering: .relaxed)
        connected = nil
        tellConnected()
        poll(round: round)
    }

    private func poll(round: Int) {
        guard isRunning, round == self.round, let reader = reader?.reader else { return }
        do {
            let found = try reader.poll(for: polling.technologies, settled: polling.settled)
            guard isRunning else { return }
            guard !found.isEmpty else {
                emptyPollCount.add(1, ordering: .relaxed)
                return pollLater()
            }
            moreTags.store(found.mayBeMore, ordering: .relaxed)
            tell(.detected(found.map { DetectedTag($0, in: self, round: round) }))
        } catch {
            readerFailed(with: error)
        }
    }

    /// Polls again in a while, in the same round: what was found is not for this session; on the reader's queue.
    package func pollLater() {
        let round = round
        reader?.queue.asyncAfter(deadline: .now() + Self.pollInterval) { self.poll(round: round) }
    }

    /// Waits until none of the tags is in the field any more, then polls again; on the reader's queue.
    package func resumePolling(afterRemovalOf tags: [DetectedTag]) {
        guard isRunning, tags.allSatisfy({ $0.round == round }) else { return }
        do {
            let remaining = try tags.filter { try isInField($0) }
            guard !remaining.isEmpty else { return startPolling() }
            reader?.queue.asyncAfter(deadline: .now() + Self.removalInterval) {
                self.resumePolling(afterRemovalOf: remaining)
            }
        } catch {
            readerFailed(with: error)
        }
    }

    private func isInField(_ tag: DetectedTag) throws -> Bool {
        do {
            try activate(tag)
            return true
        } catch ReaderError.tagLost {
            return false
        }
    }
}
