// A restore before its first write: what it replaces, what it makes permanent

import ReaderInterface
package import ReaderSession
package import TagImage
import TagTypes

/// A restore as it is shown.
public struct RestoreDraft: Sendable {
    /// What a tag loses by a restore.
    package enum Replaced: Sendable {
        case nothing
        /// A message.
        case message(TagReading)
        /// Data in these blocks, which is no message.
        case blocks([Int])
    }

    /// The tag.
    package let tag: ConnectedTag
    /// What is restored.
    package let dump: TagImage
    /// What is written; nil for a Type 4 Tag, of which the message is replaced.
    package let plan: RestorePlan?
    /// What the tag loses; nothing where the dump is its own.
    package let replaced: Replaced
    /// Whether the chip is known, and with it what is permanent.
    package let isKnown: Bool
    /// Whether the tag is given back the state in which it was delivered.
    package var isReset = false

    /// A restore of blocks, by a plan for a tag that was just read.
    ///
    /// Where the dump is of another tag, or the tag is reset, this reads the message that the tag loses. A message that
    /// cannot be read is no error: then the draft has the blocks instead.
    static func of(
        _ plan: RestorePlan, _ dump: TagImage, for tag: ConnectedTag, in session: TagSession, isReset: Bool
    ) async throws -> RestoreDraft {
        let isOwn = plan.replaced.isEmpty || !isReset && dump.isOf(tag.target.identifier)
        return RestoreDraft(
            tag: tag, dump: dump, plan: plan,
            replaced: isOwn ? .nothing : await replaced(plan, on: tag, in: session),
            isKnown: try await tag.perform { $0.chip != nil }, isReset: isReset)
    }

    /// A restore of a Type 4 Tag, of which the message is replaced.
    static func ofMessage(
        _ dump: TagImage, for tag: ConnectedTag, in session: TagSession
    ) async throws -> RestoreDraft {
        let reading = try await session.currentReadingEvenBroken(of: tag)
        let isOwn = reading.bytes.isEmpty || dump.isOf(tag.target.identifier)
        return RestoreDraft(
            tag: tag, dump: dump, plan: nil, replaced: isOwn ? .nothing : .message(reading), isKnown: true)
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

    /// Whether there is anything that must be agreed to.
    var isQuestionable: Bool {
        if case .nothing = replaced {} else { return true }
        guard let plan else { return false }
        return !plan.mixed.isEmpty || !plan.oneTimeChanges.isEmpty || plan.mark != nil || !plan.configuration.isEmpty
    }
}
