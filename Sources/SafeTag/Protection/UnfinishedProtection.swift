// A change of protection that was interrupted, on a tag whose configuration a command is about to write

public import ReaderInterface
import WriteJournal

/// An earlier change of this tag's password was interrupted: what it asks for is not whole.
public struct UnfinishedProtection: ClassifiedError {
    /// The tag.
    public let uid: [UInt8]

    /// What kind of thing went wrong.
    public var kind: FailureKind { .unfinished }

    /// What happened, in sentences.
    public var description: String { "A change of this tag's password was interrupted. Nothing was changed." }
}

extension PasswordGate {
    /// - Throws: ``UnfinishedProtection``: a configuration written now could ask for a password that is not known.
    package func requireNoPendingChange(on uid: [UInt8]) throws {
        do throws(WriteJournalError) {
            guard try pending(on: uid) != nil else { return }
        } catch {
            throw JournalFailure(error: error, standing: .nothingChanged)
        }
        throw UnfinishedProtection(uid: uid)
    }

    /// Notes the limit of wrong passwords that a tag is about to be given.
    package func willLimit(to limit: Int, on uid: [UInt8]) throws {
        do throws(WriteJournalError) {
            try journal.note(limit: limit, uid: uid)
        } catch {
            throw JournalFailure(error: error, standing: .nothingChanged)
        }
    }
}
