// One reader at work on a plan: tag on, result, tag off — Docs/CommandLine.md, provision

import Foundation
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

/// Gives rows to the tags that come to one reader, until the plan is over.
///
/// The field is switched off and on between polls, so each poll finds all tags that are there.
struct ProvisionStation {
    private let session: TagSession
    private let desk: ProvisionDesk
    private let delivery: RowDelivery
    private let observer: any ProvisionObserver
    private let tell: @Sendable (ProvisionEvent) -> Void
    private let opened: @Sendable () async -> Void
    private var present: [[UInt8]: Presence] = [:]
    private var isOpen = false
    private var trouble = TroubleRate()

    /// The time between two looks at a tag that stays with nothing left to do.
    private static let look = Duration.milliseconds(50)
    /// The time between the first two looks after a tag was done, when the next is soon there; it doubles from look to look.
    private static let firstLook = Duration.milliseconds(3)
    /// A tag that was not found for this long is gone: when it comes again, that is a new visit.
    private static let absence = Duration.milliseconds(500)
    /// A tag at the edge of the field is lost again and again: after so often it must be taken away first.
    private static let losses = 10

    private struct Presence {
        var tag: ProvisionedTag
        var lastSeen = ContinuousClock.now
        var isSettled = false
        var losses = 0
        var isToldOfOthers = false
    }

    /// - Parameter opened: called once the reader is open.
    init(
        _ session: TagSession, _ delivery: RowDelivery, _ observer: any ProvisionObserver,
        opened: @escaping @Sendable () async -> Void
    ) {
        self.session = session
        self.desk = delivery.desk
        self.delivery = delivery
        self.observer = observer
        self.opened = opened
        tell = delivery.tell
    }

    /// Works until the plan is over.
    ///
    /// - Throws: why the reader or the journal cannot go on; the user's end.
    mutating func run() async throws {
        var isPolling = true
        var pause = Self.look
        while try await !desk.isOver() {
            await announce()
            if !isPolling {
                // A tag that is to get a row is worked on at once; what else came is seen when that is done.
                session.session.restartPolling(settled: Set(present.filter(\.value.isSettled).keys))
                isPolling = true
            }
            do {
                let tags = try await session.tags(within: Self.look)
                isPolling = false
                await announce()
                if try await work(on: tags) {
                    pause = Self.firstLook
                } else {
                    try await Task.sleep(for: pause)
                    pause = min(pause * 2, Self.look)
                }
            } catch is NoTagCame {
                forgetAbsent()
            }
        }
    }

    private mutating func announce() async {
        guard !isOpen, !session.reader.isEmpty else { return }
        isOpen = true
        await opened()
    }

    /// Works on the tags of one poll; false when there was nothing to do.
    private mutating func work(on tags: [DetectedTag]) async throws -> Bool {
        for tag in tags { see(tag) }
        forgetAbsent()
        let fresh = tags.filter { present[$0.target.identifier]?.isSettled == false }
        guard let tag = fresh.first else { return false }
        guard tags.count == 1, !session.hasMoreTags else {
            for tag in fresh where present[tag.target.identifier]?.isToldOfOthers == false {
                present[tag.target.identifier]?.isToldOfOthers = true
                severalTags(tag, of: session.hasMoreTags ? "More than \(tags.count)" : "\(tags.count)")
            }
            return false
        }
        let uid = tag.target.identifier
        await desk.workBegins()
        let outcome: RowDelivery.Outcome
        do {
            outcome = try await withTaskExecutorPreference(session.session.executor) { [delivery] in
                try await delivery.deliver(to: tag)
            }
            // The wait for the next tag begins when its command has ended, too.
            if case .finished(let job, let reading, let event) = outcome { try await runCommand(job, reading, event) }
        } catch {
            await desk.workEnds()
            throw error
        }
        await desk.workEnds()
        // Nobody looked in the meantime: that does not count as absence.
        present[uid]?.lastSeen = .now
        note(outcome, of: uid)
        switch outcome {
        case .finished(let job, _, _):
            present[uid]?.isSettled = true
            present[uid]?.tag = job.tag
        case .settled:
            present[uid]?.isSettled = true
        case .noRow:
            present[uid]?.isSettled = true
            if try await !desk.isOver() {
                tell(
                    .refused(
                        present[uid]?.tag ?? name(of: tag), cause: .noRow,
                        reason: "Every row has its tag; some of those tags have to come back.", isQuarantined: false))
            }
        case .later:
            return false
        case .left:
            let losses = (present[uid]?.losses ?? 0) + 1
            present[uid]?.losses = losses
            present[uid]?.isSettled = losses >= Self.losses
        }
        return true
    }

    /// Tells the operator once when it is the antenna rather than a tag.
    private mutating func note(_ outcome: RowDelivery.Outcome, of uid: [UInt8]) {
        switch outcome {
        case .finished: trouble.note(uid, hadTrouble: false)
        case .left: trouble.note(uid, hadTrouble: true)
        case .settled, .noRow, .later: return
        }
        guard let (troubled, count) = trouble.takeAlarm() else { return }
        tell(.weakField(reader: session.reader, troubled: troubled, of: count))
    }

    private func severalTags(_ tag: DetectedTag, of count: String) {
        tell(
            .refused(
                name(of: tag), cause: .severalTags,
                reason: "\(count) tags are on the reader; place one at a time.", isQuarantined: false))
    }

    private func runCommand(_ job: RowDelivery.Job, _ reading: TagReading, _ event: ProvisionEvent) async throws {
        let (tell, observer) = (tell, observer)
        try await session.untilInterrupted {
            guard let failure = try await observer.rowIsDone(job.row, on: reading, event), !Task.isCancelled else {
                return
            }
            tell(.commandFailed(job.tag, row: job.row, reason: failure))
        }
    }

    // MARK: Who is there

    private mutating func see(_ tag: DetectedTag) {
        let uid = tag.target.identifier
        if present[uid] == nil { present[uid] = Presence(tag: name(of: tag)) }
        present[uid]?.lastSeen = .now
    }

    private mutating func forgetAbsent() {
        for (uid, presence) in present where ContinuousClock.now - presence.lastSeen >= Self.absence {
            present[uid] = nil
            tell(.removed(presence.tag))
        }
    }

    private func name(of tag: DetectedTag) -> ProvisionedTag {
        ProvisionedTag(reader: session.reader, uid: tag.uid, chip: TagDetection.tagType(of: tag.target).name)
    }
}
