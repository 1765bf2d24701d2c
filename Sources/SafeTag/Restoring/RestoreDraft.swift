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

    /// - Parameter plan: of a tag that was just read.
    init(_ plan: RestorePlan, of dump: TagImage, for tag: ConnectedTag, in session: TagSession) async throws {
        self.tag = tag
        self.dump = dump
        self.plan = plan
        isKnown = try await tag.perform { $0.chip != nil }
        replaced =
            plan.replaced.isEmpty || dump.isOf(tag.target.identifier)
            ? .nothing : await Self.replaced(plan, on: tag, in: session)
    }

    /// The same for a Type 4 Tag, of which a restore replaces the message.
    init(replacingMessageWith dump: TagImage, for tag: ConnectedTag, in session: TagSession) async throws {
        self.tag = tag
        self.dump = dump
        plan = nil
        isKnown = true
        let reading = try await session.currentReading(of: tag)
        replaced = reading.bytes.isEmpty || dump.isOf(tag.target.identifier) ? .nothing : .message(reading)
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
