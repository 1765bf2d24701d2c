// The error for a journal that could not be updated, and how far the change to the tag had come

public import ReaderInterface
import Synchronization
public import WriteJournal

/// The journal failed before, during or after a change to a tag.
public struct JournalFailure: ClassifiedError {
    /// The progress of the change to the tag when the journal failed.
    public enum Standing: Hashable, Sendable {
        /// Nothing was changed.
        case nothingChanged
        /// The message was not written, but something else on the tag was changed earlier.
        case notBegun
        /// The change was completed.
        case done(Change)
    }

    /// A completed change to a tag.
    public enum Change: Sendable {
        /// The tag was, respectively, written, locked, recovered, given its old message back, or restored from a dump.
        case written, locked, recovered, broughtBack, restored

        fileprivate var participle: String {
            switch self {
            case .written: "written and verified"
            case .locked: "locked and verified"
            case .recovered: "recovered and verified"
            case .broughtBack: "given its old message back"
            case .restored: "restored, each block read back and compared"
            }
        }
    }

    /// The journal's error.
    public let error: WriteJournalError
    /// The progress of the change to the tag when the journal failed.
    public let standing: Standing

    package init(error: WriteJournalError, standing: Standing) { (self.error, self.standing) = (error, standing) }

    /// The kind of failure.
    public var kind: FailureKind { .badFile }

    /// A description in sentences.
    public var description: String {
        switch (standing, error) {
        case (.nothingChanged, _): "\(error) Nothing was changed."
        case (.notBegun, _): "\(error) The message was not written."
        case (.done(let change), .notWritable(let path, let reason)):
            "The tag was \(change.participle); the journal entry \(path) could not be updated: \(reason)."
        case (.done(let change), _): "The tag was \(change.participle). \(error)"
        }
    }

    /// Runs work that changes no tag.
    ///
    /// A journal error from this work also says that nothing was changed.
    static func beforeAnyChange<Value>(_ work: () async throws -> Value) async throws -> Value {
        do {
            return try await work()
        } catch {
            throw unchanged(error)
        }
    }

    /// Adds to a journal error the statement that no tag was changed.
    ///
    /// Other errors are returned unchanged.
    static func unchanged(_ error: any Error) -> any Error {
        (error as? WriteJournalError).map { JournalFailure(error: $0, standing: .nothingChanged) } ?? error
    }
}

/// The tags on which a write was started.
///
/// The set can be used from any thread.
final class BegunWrites: Sendable {
    private let uids = Mutex<Set<[UInt8]>>([])

    /// Notes that the next command may change the tag.
    func note(_ uid: [UInt8]) { uids.withLock { _ = $0.insert(uid) } }

    /// Notes that the tag was read and still holds its old content.
    func clear(_ uid: [UInt8]) { uids.withLock { _ = $0.remove(uid) } }

    func contains(_ uid: [UInt8]) -> Bool { uids.withLock { $0.contains(uid) } }

    /// Returns the journal's error, with the progress of the change if a command may have changed the tag.
    func told(_ error: WriteJournalError, of uid: [UInt8], _ standing: JournalFailure.Standing) -> JournalFailure {
        JournalFailure(error: error, standing: contains(uid) ? standing : .nothingChanged)
    }
}
