// The error for an interrupted change of protection on a tag whose configuration a command is about to write

public import ReaderInterface
import WriteJournal

/// The error for a tag whose protection is incomplete, because an earlier change to its password was interrupted.
public struct UnfinishedProtection: ClassifiedError {
    /// The tag's UID.
    public let uid: [UInt8]

    /// The kind of failure.
    public var kind: FailureKind { .unfinished }

    /// A description in sentences.
    public var description: String {
        "An earlier change to this tag's password was interrupted. It must be finished first. Nothing was changed."
    }
}

extension PasswordGate {
    /// Checks that no earlier change to the tag's protection is unfinished.
    ///
    /// - Throws: ``UnfinishedProtection``, because a configuration written now could require an unknown password.
    package func requireNoPendingChange(on uid: [UInt8]) throws {
        do throws(WriteJournalError) {
            guard try pending(on: uid) != nil else { return }
        } catch {
            throw JournalFailure(error: error, standing: .nothingChanged)
        }
        throw UnfinishedProtection(uid: uid)
    }

    /// Records the limit on wrong passwords that the next step gives a tag.
    package func willLimit(to limit: Int, on uid: [UInt8]) throws {
        do throws(WriteJournalError) {
            try journal.note(limit: limit, uid: uid)
        } catch {
            throw JournalFailure(error: error, standing: .nothingChanged)
        }
    }
}
