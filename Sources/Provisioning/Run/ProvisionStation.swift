// One reader at work: tag on, result, tag off — Docs/CommandLine.md, provision

import Foundation
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

/// Does the work on the tags that come to one reader, until it is over.
///
/// The field is switched off and on between polls, so each poll finds all tags that are there.
struct ProvisionStation {
    private let session: TagSession
    private let roster: ReaderRoster
    private let goal: any RunGoal
    private let work: any TagWork
    private let tell: @Sendable (ProvisionEvent) -> Void
    private let opened: @Sendable () async -> Void
    private var present: [[UInt8]: Presence] = [:]
    private var isOpen = false
    private var trouble = TroubleRate()
    private var refusals = TroubleRate()

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

    /// Makes the station of a reader; it calls `opened` once the reader is open.
    init(
        _ session: TagSession, _ work: any TagWork, for goal: any RunGoal, _ roster: ReaderRoster,
        tell: @escaping @Sendable (ProvisionEvent) -> Void, opened: @escaping @Sendable () async -> Void
    ) {
        self.session = session
        self.work = work
        self.goal = goal
        self.roster = roster
        self.tell = tell
        self.opened = opened
    }

    /// Works until the work is over.
    ///
    /// - Throws: why the reader or the journal cannot go on; the user's end.
    mutating func run() async throws {
        var isPolling = true
        var pause = Self.look
        while try await !goal.isOver() {
            await announce()
            guard try await goal.isReady() else {
                // No poll happens in the meantime: that does not count as absence.
                for uid in present.keys { present[uid]?.lastSeen = .now }
                try await Task.sleep(for: Self.look)
                continue
            }
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
        await roster.workBegins()
        let visit: TagVisit
        do {
            visit = try await withTaskExecutorPreference(session.session.executor) { [work] in
                try await work.visit(tag)
            }
        } catch {
            await roster.workEnds()
            throw error
        }
        await roster.workEnds()
        // No poll happened in the meantime: that does not count as absence.
        present[uid]?.lastSeen = .now
        note(visit, of: uid)
        switch visit {
        case .done(let tag):
            present[uid]?.isSettled = true
            present[uid]?.tag = tag
        case .settled, .refused:
            present[uid]?.isSettled = true
        case .later:
            return false
        case .left:
            let losses = (present[uid]?.losses ?? 0) + 1
            present[uid]?.losses = losses
            present[uid]?.isSettled = losses >= Self.losses
        }
        return true
    }

    /// Warns the operator when the antenna or the box of tags is the problem, rather than one tag.
    private mutating func note(_ visit: TagVisit, of uid: [UInt8]) {
        switch visit {
        case .done:
            trouble.note(uid, hadTrouble: false)
            refusals.note(uid, hadTrouble: false)
        case .left: trouble.note(uid, hadTrouble: true)
        case .refused: refusals.note(uid, hadTrouble: true)
        case .settled, .later: return
        }
        if let (troubled, count) = trouble.takeAlarm() {
            tell(.weakField(reader: session.reader, troubled: troubled, of: count))
        }
        if let (refused, count) = refusals.takeAlarm() {
            tell(.manyRefused(reader: session.reader, refused: refused, of: count))
        }
    }

    private func severalTags(_ tag: DetectedTag, of count: String) {
        tell(
            .refused(
                ProvisionedTag(tag, on: session), cause: .severalTags,
                reason: "\(count) tags are on the reader; place one at a time.", isQuarantined: false))
    }

    // MARK: Who is there

    private mutating func see(_ tag: DetectedTag) {
        let uid = tag.target.identifier
        if present[uid] == nil { present[uid] = Presence(tag: ProvisionedTag(tag, on: session)) }
        present[uid]?.lastSeen = .now
    }

    private mutating func forgetAbsent() {
        for (uid, presence) in present where ContinuousClock.now - presence.lastSeen >= Self.absence {
            present[uid] = nil
            tell(.removed(presence.tag))
        }
    }
}

extension ProvisionedTag {
    /// A tag that is known only from its activation.
    init(_ tag: DetectedTag, on session: TagSession) {
        self.init(reader: session.reader, uid: tag.uid, chip: TagDetection.tagType(of: tag.target).name)
    }
}
