// A change of protection that was interrupted, on a tag whose configuration a command is about to write

import Hexadecimal
import WriteJournal

/// An earlier change of this tag's password was interrupted: what it asks for is not whole.
struct UnfinishedProtection: Failure {
    let uid: [UInt8]
    var name: ErrorName { .unfinishedWrite }
    var message: String { "A change of this tag's password was interrupted. Nothing was changed." }
    var details: [String: FailureDetail] { ["uid": .text(uid.hex)] }
}

extension PasswordGate {
    /// - Throws: ``UnfinishedProtection``: a configuration written now could ask for a password that is not known.
    func requireNoPendingChange(on uid: [UInt8]) throws {
        do throws(WriteJournalError) {
            guard try pending(on: uid) != nil else { return }
        } catch {
            throw TagFailure(beforeAnyChange: error)
        }
        throw UnfinishedProtection(uid: uid)
    }

    /// Notes the limit of wrong passwords that a tag is about to be given.
    func willLimit(to limit: Int, on uid: [UInt8]) throws {
        do throws(WriteJournalError) {
            try journal.note(limit: limit, uid: uid)
        } catch {
            throw TagFailure(beforeAnyChange: error)
        }
    }
}
