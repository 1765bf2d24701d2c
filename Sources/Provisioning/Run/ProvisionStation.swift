// The work on one reader: a tag is placed, handled and removed — Docs/CommandLine.md, provision

import Foundation
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes

/// Handles the tags placed on one reader until the run is over.
///
/// The field is switched off and on between polls, so each poll finds all tags that are in the field.
struct ProvisionStation {
    private let session: TagSession
    private let roster: ReaderRoster
    private let goal: any RunGoal
    private let work: any TagWork
    private let tell: @Sendable (ProvisionEvent) -> Void
    private let opened: @Sendable () async -> Void
    private var present: [[UInt8]: Presence] = [:]
    private var isOpen = false
    /// The number of polls that have ended, with or without a tag.
    private var polls = 0
    /// The number of polls without a tag at the end of the last wait.
    private var emptyPolls = 0
    private var trouble = TroubleRate()
    private var refusals = TroubleRate()

    /// The longest time between two polls while a finished tag stays on the reader.
    private static let look = Duration.milliseconds(50)
    /// The time between the first two polls after a tag was finished.
    ///
    /// It is short because the next tag may arrive soon.
    ///
    /// The time doubles with each further poll.
    private static let firstLook = Duration.milliseconds(3)
    /// The time after which a tag that was not found counts as removed.
    ///
    /// If the tag returns later, this is a new visit.
    private static let absence = Duration.milliseconds(500)
    /// The number of polls that must also have ended since then.
    ///
    /// On a busy machine, there may be none for a long time.
    private static let pollsWithout = 2
    /// The number of times that a tag may be lost.
    ///
    /// After that, it is not tried again until it has been removed.
    ///
    /// A tag at the edge of the field may be lost repeatedly.
    private static let losses = 10

    private struct Presence {
        var tag: ProvisionedTag
        var lastSeen = ContinuousClock.now
        /// The number of polls that had ended by then.
        var polls: Int
        var isSettled = false
        var losses = 0
        var isToldOfOthers = false
    }

    /// Creates the station for a reader.
    ///
    /// `opened` is called when the reader is open.
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

    /// Handles tags until the run is over.
    ///
    /// - Throws: `Interrupted`, or the reason why the reader or the journal cannot continue.
    mutating func run() async throws {
        let result: Result<Void, any Error>
        do { result = .success(try await handleTags()) } catch { result = .failure(error) }
        // If the reader failed, it is not known which tags are on it.
        await roster.note([], on: session.reader)
        try result.get()
    }

    private mutating func handleTags() async throws {
        var isPolling = true
        var pause = Self.look
        while try await !goal.isOver() {
            await announce()
            guard try await goal.isReady() else {
                // There are no polls during this wait, so this time does not count as absence.
                for uid in present.keys { present[uid]?.lastSeen = .now }
                try await Task.sleep(for: Self.look)
                continue
            }
            if !isPolling {
                // A tag that gets a row is handled immediately. Other new tags are noticed afterwards.
                session.session.restartPolling(settled: Set(present.filter(\.value.isSettled).keys))
                isPolling = true
            }
            do {
                let tags = try await session.tags(within: Self.look)
                isPolling = false
                await announce()
                await countPolls(withTag: true)
                if try await work(on: tags) {
                    pause = Self.firstLook
                } else {
                    try await Task.sleep(for: pause)
                    pause = min(pause * 2, Self.look)
                }
            } catch is NoTagCame {
                await countPolls(withTag: false)
                forgetAbsent()
                await roster.note(Set(present.keys), on: session.reader)
            }
        }
    }

    private mutating func announce() async {
        guard !isOpen, !session.reader.isEmpty else { return }
        isOpen = true
        await opened()
    }

    /// Counts the polls of the last wait, of which the last may have found a tag.
    private mutating func countPolls(withTag isTagThere: Bool) async {
        let count = session.session.emptyPolls
        polls += count - emptyPolls + (isTagThere ? 1 : 0)
        emptyPolls = count
        if polls > 0 { await roster.looked() }
    }

    /// Handles the tags found by one poll.
    ///
    /// Returns false if there was nothing to do.
    private mutating func work(on tags: [DetectedTag]) async throws -> Bool {
        for tag in tags { see(tag) }
        forgetAbsent()
        // A poll finds all tags on the reader, so these tags replace the earlier ones.
        await roster.note(Set(tags.map(\.target.identifier)), on: session.reader)
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
        // There were no polls during the work, so this time does not count as absence.
        present[uid]?.lastSeen = .now
        present[uid]?.polls = polls
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

    /// Warns the operator if the cause is probably the antenna or the batch of tags, not a single tag.
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
                ProvisionedTag(tag, on: session), cause: .known(.severalTags),
                reason: "\(count) tags are on the reader; place one at a time.", isQuarantined: false))
    }

    // MARK: Tags on the reader

    private mutating func see(_ tag: DetectedTag) {
        let uid = tag.target.identifier
        if present[uid] == nil { present[uid] = Presence(tag: ProvisionedTag(tag, on: session), polls: polls) }
        present[uid]?.lastSeen = .now
        present[uid]?.polls = polls
    }

    private mutating func forgetAbsent() {
        for (uid, presence) in present
        where ContinuousClock.now - presence.lastSeen >= Self.absence
            && polls - presence.polls >= Self.pollsWithout
        {
            present[uid] = nil
            tell(.removed(presence.tag))
        }
    }
}

extension ProvisionedTag {
    /// Describes a tag only by its activation data.
    init(_ tag: DetectedTag, on session: TagSession) {
        self.init(reader: session.reader, uid: tag.uid, chip: TagDetection.tagType(of: tag.target).name)
    }
}
