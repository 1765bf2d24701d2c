// An interrupted change of protection, on a tag whose configuration a command is about to write

public import ReaderInterface
import WriteJournal

/// An earlier change to this tag's password was interrupted, so its protection is incomplete.
public struct UnfinishedProtection: ClassifiedError {
    /// The tag's UID.
    public let uid: [UInt8]

    /// The kind of failure.
    public var kind: FailureKind { .unfinished }

    /// A description in sentences.
    public var description: String { "An earlier change to this tag's password was interrupted. Nothing was changed." }
}

extension PasswordGate {
    /// - Throws: ``UnfinishedProtection``, because a configuration written now could require an unknown password.
    package func requireNoPendingChange(on uid: [UInt8]) throws {
        do throws(WriteJournalError) {
            guard try pending(on: uid) != nil else { return }
        } catch {
            throw JournalFailure(error: error, standing: .nothingChanged)
        }
        throw UnfinishedProtection(uid: uid)
    }

    /// Records the limit on wrong passwords that a tag is about to get.
    package func willLimit(to limit: Int, on uid: [UInt8]) throws {
        do throws(WriteJournalError) {
            try journal.note(limit: limit, uid: uid)
        } catch {
            throw JournalFailure(error: error, standing: .nothingChanged)
        }
    }
}
