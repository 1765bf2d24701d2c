// Looking for tags: polls until a tag is found, and again when the session's owner asks for it

import Dispatch
package import ReaderInterface
import Synchronization

/// What a round of polling looks for.
package struct Polling: Sendable {
    /// The technologies, in the order in which they are polled.
    package var technologies: [Technology]
    /// The identifiers of tags that are already known.
    ///
    /// A poll that finds any other tag does not look with further technologies. If this is nil, polls look with all
    /// technologies. Several tags of one technology are always distinguished.
    package var settled: Set<[UInt8]>?

    /// Creates a round of polling, by default for all technologies.
    package init(_ technologies: [Technology] = Technology.allCases, settled: Set<[UInt8]>? = nil) {
        self.technologies = technologies
        self.settled = settled
    }
}

extension SessionCore {
    /// The time between two polls of an empty field, in seconds.
    ///
    /// During this time, the queue is free for other work.
    private static let pollInterval = 0.05
    /// The time between two checks of whether tags that were read have left, in seconds.
    private static let removalInterval = 0.1

    /// Starts a new round of polling, in order with the session's operations.
    ///
    /// Tags found earlier can no longer be used. A reader that supports none of the technologies ends the session with
    /// ``SessionError/noRadio(_:reader:)``.
    ///
    /// - Parameter change: called on the reader's queue. It returns what to look for from now on, or nil to start no
    ///   round.
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

    /// Refuses a round of polling that cannot find anything with this reader.
    ///
    /// Called on the reader's queue.
    ///
    /// - Throws: ``SessionError/noRadio(_:reader:)``.
    func requireRadio(for polling: Polling) throws(SessionError) {
        guard let session = reader, let reader = session.reader,
            reader.technologies.isDisjoint(with: polling.technologies)
        else { return }
        throw .noRadio(polling.technologies, reader: session.name ?? reader.connection)
    }

    /// Starts a new round of polling.
    ///
    /// Called on the reader's queue.
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

    /// Polls again later in the same round, because nothing was found that this session supports.
    ///
    /// Called on the reader's queue.
    package func pollLater() {
        let round = round
        reader?.queue.asyncAfter(deadline: .now() + Self.pollInterval) { self.poll(round: round) }
    }

    /// Waits until all of the tags have left the field, and polls again.
    ///
    /// Called on the reader's queue.
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
        } catch ReaderError.tagLost, ReaderError.noAnswer {
            return false
        }
    }
}
