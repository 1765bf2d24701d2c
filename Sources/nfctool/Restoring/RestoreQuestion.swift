// What a user is to know before a restore: what it replaces, what it makes permanent, what may lock the tag

import Hexadecimal
import NDEF
import ReaderInterface
import ReaderSession
import SafeTag
import TagImage
import TagTypes

/// The facts of the question before a restore.
struct RestoreQuestion: Sendable {
    /// In lines that are escaped already; empty when there is nothing to ask.
    let facts: String

    /// - Parameter plan: of a tag that was just read.
    init(_ plan: RestorePlan, of dump: TagImage, for tag: ConnectedTag, in session: TagSession) async throws {
        let isKnown = try await tag.perform { $0.chip != nil }
        let replaced =
            plan.replaced.isEmpty || dump.isOf(tag.target.identifier)
            ? nil : try await Self.replaced(plan, by: dump, on: tag, in: session)
        let all = [
            replaced, Self.mixture(plan), Self.permanent(plan, isKnown: isKnown), Self.mark(plan),
            Self.configuration(plan),
        ]
        facts = all.compactMap(\.self).joined(separator: "\n")
    }

    /// The same for a Type 4 Tag, of which a restore replaces the message.
    init(replacingMessageWith dump: TagImage, for tag: ConnectedTag, in session: TagSession) async throws {
        let reading = try await session.currentReading(of: tag)
        let isAsked = !reading.bytes.isEmpty && !dump.isOf(tag.target.identifier)
        facts = isAsked ? Self.replacing(reading, dump, on: tag) : ""
    }

    // MARK: What is replaced

    private static func replaced(
        _ plan: RestorePlan, by dump: TagImage, on tag: ConnectedTag, in session: TagSession
    ) async throws -> String? {
        if let reading = try? await session.currentReading(of: tag) {
            if !reading.bytes.isEmpty { return replacing(reading, dump, on: tag) }
            guard reading.state.status == .notSupported else { return nil }
        }
        guard plan.replacesData else { return nil }
        return "\(origin(of: dump, tag)) What this tag holds in \(BlockList(plan.replaced)) will be replaced."
    }

    private static func replacing(_ reading: TagReading, _ dump: TagImage, on tag: ConnectedTag) -> String {
        let holds = TagPresentation(reading, style: .plain).text.split(separator: "\n").map { "  " + $0 }
        return """
            \(origin(of: dump, tag)) What this tag holds will be replaced:
            \(holds.joined(separator: "\n"))
            """
    }

    private static func origin(of dump: TagImage, _ tag: ConnectedTag) -> String {
        dump.identifier.isEmpty
            ? "The dump does not say of which tag it is."
            : "The dump is of tag \(dump.identifier.hex), not of this one, \(tag.uid)."
    }

    private static func mixture(_ plan: RestorePlan) -> String? {
        guard !plan.mixed.isEmpty else { return nil }
        return
            "The dump is partial: \(BlockList(plan.mixed)), into which the message reaches, would stay as on the tag, and the "
            + "message would be part dump, part tag."
    }

    // MARK: What is permanent

    private static func permanent(_ plan: RestorePlan, isKnown: Bool) -> String? {
        guard !plan.oneTimeChanges.isEmpty else { return nil }
        return """
            \(isKnown ? "These bits will be set permanently" : "These bits will be set"):
            \(plan.oneTimeChanges.map(\.text).joined(separator: "\n"))
            \(isKnown ? "This cannot be undone." : "This tool cannot undo it.")\(lockedZeros(plan))
            """
    }

    private static func mark(_ plan: RestorePlan) -> String? {
        guard let mark = plan.mark else { return nil }
        let outlook =
            mark.isOnlyLock
            ? "\nThe tag has no lock: tools that ignore this mark can still write the tag and undo it."
            // What is set permanently besides may close the mark's block, too.
            : plan.oneTimeChanges.isEmpty ? "\nTools that ignore this mark can still write the tag and undo it." : ""
        return "This will be changed:\n\(mark.text)\(outlook)"
    }

    /// What the dumped tag showed and this one would lock as zeros; empty for nothing.
    private static func lockedZeros(_ plan: RestorePlan) -> String {
        guard let lacking = plan.mirror.lacking, plan.oneTimeChanges.contains(where: \.isLock) else { return "" }
        return "\nThe dumped tag showed \(lacking.words) in its message. This tag would hold zeros there permanently; "
            + "--configuration makes it show its own."
    }

    private static func configuration(_ plan: RestorePlan) -> String? {
        guard !plan.configuration.isEmpty else { return nil }
        let guardedFrom = plan.protection.map { protection in
            let secret =
                protection.secret == .password
                ? "its own password, which no dump holds" : "its own key, which no dump holds"
            let access = protection.rules.isReadingProtected ? ", also for reading" : ""
            let limit = protection.rules.limit
            let end =
                limit == 0
                ? "" : " After \(limit) wrong password\(limit == 1 ? "" : "s") in a row it is closed permanently."
            return " From block \(protection.rules.first ?? 0) on the tag will ask for \(secret)\(access).\(end)"
        }
        return
            "The restore will change configuration, keys or reserved bytes in \(BlockList(plan.configuration)), "
            + "which may lock the tag.\(guardedFrom ?? "")\(rekeyed(plan))"
    }
}

extension RestoreQuestion {
    /// The sectors that other keys will open; empty for none.
    fileprivate static func rekeyed(_ plan: RestorePlan) -> String {
        guard !plan.rekeyed.isEmpty else { return "" }
        let sectors = plan.rekeyed.sorted().map { "\($0)" }.joined(separator: ", ")
        return " The keys of sector\(plan.rekeyed.count == 1 ? "" : "s") \(sectors) will be those of the dump. "
            + "Keep the dump: without its keys nfctool may not open them again."
    }
}

/// The lock bits that a restore has set.
struct RestoredLocks {
    /// A block of each group that was locked.
    private let blocks: [Int]
    /// Those of them that were seen to refuse a write.
    private let tried: [Int]
    /// A block of each group that cannot be tried: the write itself would change it, should the lock have no effect.
    private let untriable: [Int]

    /// Whether each group of blocks that was locked was seen to refuse a write.
    var isProven: Bool { !blocks.isEmpty && untried.isEmpty && untriable.isEmpty }

    private var untried: [Int] { blocks.filter { !tried.contains($0) } }

    /// Tries to write what was locked.
    ///
    /// - Returns: nil when the restore set no lock bits.
    /// - Throws: ``TagError/lockInterrupted(done:missing:cause:)`` when a block can still be written, or it is not known.
    init?(_ plan: RestorePlan, on tag: ConnectedTag) async throws {
        let set = plan.oneTimeChanges.filter(\.isLock)
        // A restore that was interrupted has set them, and proved nothing.
        let changes = set.isEmpty ? plan.locksHeld : set
        guard !changes.isEmpty else { return nil }
        let blocks = changes.flatMap(\.locked).sorted()
        self.blocks = blocks
        untriable = changes.flatMap(\.untriable).sorted()
        guard !blocks.isEmpty else {
            tried = []
            return
        }
        do {
            tried = try await tag.perform { try ($0 as? Type2Tag)?.proveLocked(blocks) ?? [] }
        } catch {
            // The bits are set, which a failure must mention, too.
            let cause = TagFailure(error)?.cause
            guard let cause = cause as? TagError ?? (cause as? ReaderError).map(TagError.reader) else { throw error }
            throw TagError.lockInterrupted(done: changes.map(\.name), missing: [], cause: cause)
        }
    }

    /// A clause for the report.
    var remark: String {
        if tried.isEmpty { return "; lock bits were set, and it was not tried whether they have an effect" }
        let refusal = "; what was locked refuses writes (tried on \(BlockList(tried)))"
        let guarded = untried.isEmpty ? "" : "; a password guards \(BlockList(untried)), where it was not tried"
        let open = untriable.isEmpty ? "" : "; it was not tried on \(BlockList(untriable)), which a write may change"
        return refusal + guarded + open
    }
}

extension TagImage {
    /// Whether it is the dump of the tag with this identifier.
    ///
    /// Raw memory may begin with more, or fewer, bytes of the UID than activation tells.
    func isOf(_ uid: [UInt8]) -> Bool {
        if identifier == uid { return !uid.isEmpty }
        let isLeading = kind == .topaz96 || kind == .topaz512 || kind == .classic1K || kind == .classic4K
        return isLeading && !uid.isEmpty && self[block: 0]?.starts(with: uid) ?? false
    }
}

/// A file that is not the memory of a tag, though its size and format are right.
struct UnsoundDump: Failure {
    let source: String
    let error: TagImageError
    var name: ErrorName { .badFile }
    var message: String { BrokenDump(source: source, error: error).message + " Nothing was written." }
    var details: [String: FailureDetail] { BrokenDump(source: source, error: error).details }

    /// - Throws: ``UnsoundDump``.
    static func check(_ dump: TagImage, _ source: String) throws {
        do throws(TagImageError) {
            try dump.checkMemory()
        } catch {
            throw UnsoundDump(source: source, error: error)
        }
    }
}
