// A journal that could not be kept up to date, and what had been done to the tag by then

public import ReaderInterface
import Synchronization
public import WriteJournal

/// The journal failed before, while or after a tag was changed.
public struct JournalFailure: ClassifiedError {
    /// What was done to the tag.
    public enum Standing: Hashable, Sendable {
        /// Nothing.
        case nothingChanged
        /// The message was not written; something else on the tag was changed before.
        case notBegun
        /// All was done.
        case done(Change)
    }

    /// What was done to a tag.
    public enum Change: Sendable {
        case written, locked, recovered, broughtBack, restored

        /// A past participle.
        fileprivate var participle: String {
            switch self {
            case .written: "written and verified"
            case .locked: "locked and verified"
            case .recovered: "recovered and verified"
            case .broughtBack: "brought back from an interrupted write"
            case .restored: "restored, each block read back and compared"
            }
        }
    }

    /// What is wrong with the journal.
    public let error: WriteJournalError
    /// What was done to the tag.
    public let standing: Standing

    package init(error: WriteJournalError, standing: Standing) { (self.error, self.standing) = (error, standing) }

    /// What kind of thing went wrong.
    public var kind: FailureKind { .badFile }

    /// What happened, in sentences.
    public var description: String {
        switch (standing, error) {
        case (.nothingChanged, _): "\(error) Nothing was changed."
        case (.notBegun, _): "\(error) The message was not written."
        case (.done(let change), .notWritable(let path, let reason)):
            "The tag was \(change.participle); the journal entry \(path) could not be removed: \(reason)."
        case (.done(let change), _): "The tag was \(change.participle). \(error)"
        }
    }

    /// Does what changes no tag: an error of the journal says so.
    static func beforeAnyChange<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            throw unchanged(error)
        }
    }

    /// An error of work that changed no tag: one of the journal says so.
    static func unchanged(_ error: any Error) -> any Error {
        (error as? WriteJournalError).map { JournalFailure(error: $0, standing: .nothingChanged) } ?? error
    }
}

/// The tags on which a write was begun.
///
/// Any thread.
final class BegunWrites: Sendable {
    private let uids = Mutex<Set<[UInt8]>>([])

    /// Notes that the next command may change the tag.
    func note(_ uid: [UInt8]) { uids.withLock { _ = $0.insert(uid) } }

    /// Notes that the tag was seen to hold what it held before.
    func clear(_ uid: [UInt8]) { uids.withLock { _ = $0.remove(uid) } }

    /// Whether a command may have changed the tag.
    func contains(_ uid: [UInt8]) -> Bool { uids.withLock { $0.contains(uid) } }

    /// The error of the journal with what is true of the tag.
    func told(_ error: WriteJournalError, of uid: [UInt8], _ standing: JournalFailure.Standing) -> JournalFailure {
        JournalFailure(error: error, standing: contains(uid) ? standing : .nothingChanged)
    }
}
