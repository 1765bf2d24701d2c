// A restore before its first write: what it replaces, and what it makes permanent

import ReaderInterface
package import ReaderSession
package import TagImage
import TagTypes

/// A restore as shown to the user.
public struct RestoreDraft: Sendable {
    /// The content that a restore replaces.
    package enum Replaced: Sendable {
        case nothing
        case message(TagReading)
        /// Data in these blocks that is not a message.
        case blocks([Int])
    }

    package let tag: ConnectedTag
    package let dump: TagImage
    /// The blocks to write, or nil for a Type 4 Tag, whose message is replaced.
    package let plan: RestorePlan?
    /// The content that the restore replaces, or nothing if the dump is from this tag.
    package let replaced: Replaced
    /// Whether the chip is known, so that it is known which changes are permanent.
    package let isKnown: Bool
    /// The parts that are left out although phones see no message without them.
    package let neededParts: RestorePlan.Parts
    package var isReset = false

    /// Creates the draft for restoring blocks, from a plan for a tag that was just read.
    ///
    /// If the dump is from another tag, or if the tag is reset, the draft includes the message that the tag loses. If
    /// the message cannot be read, the draft lists the blocks instead.
    static func of(
        _ plan: RestorePlan, _ dump: TagImage, over present: TagImage, of tag: ConnectedTag, in session: TagSession,
        isReset: Bool
    ) async throws -> RestoreDraft {
        let isOwn = plan.replaced.isEmpty || !isReset && dump.isOf(tag.target.identifier)
        return RestoreDraft(
            tag: tag, dump: dump, plan: plan,
            replaced: isOwn ? .nothing : await replaced(plan, on: tag, in: session),
            isKnown: try await tag.perform { $0.chip != nil },
            neededParts: plan.partsNeededForMessage(of: dump, over: present), isReset: isReset)
    }

    /// Creates the draft for a Type 4 Tag, whose message is replaced.
    static func ofMessage(
        _ dump: TagImage, for tag: ConnectedTag, in session: TagSession
    ) async throws -> RestoreDraft {
        let reading = try await session.currentReadingEvenBroken(of: tag)
        let isOwn = reading.bytes.isEmpty || dump.isOf(tag.target.identifier)
        return RestoreDraft(
            tag: tag, dump: dump, plan: nil, replaced: isOwn ? .nothing : .message(reading), isKnown: true,
            neededParts: [])
    }

    private static func replaced(
        _ plan: RestorePlan, on tag: ConnectedTag, in session: TagSession
    ) async -> Replaced {
        if let reading = try? await session.currentReading(of: tag) {
            if !reading.bytes.isEmpty { return .message(reading) }
            guard reading.state.status == .notSupported else { return .nothing }
        }
        return plan.replacesData ? .blocks(plan.replaced) : .nothing
    }

    var isQuestionable: Bool {
        if case .nothing = replaced {} else { return true }
        if dump.isFilledIn || !neededParts.isEmpty { return true }
        guard let plan else { return false }
        return !plan.mixed.isEmpty || !plan.oneTimeChanges.isEmpty || plan.mark != nil || !plan.configuration.isEmpty
    }
}
