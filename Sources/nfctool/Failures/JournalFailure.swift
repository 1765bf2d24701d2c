// A journal that could not be kept up to date, and what had been done to the tag by then

import Doctor
import Foundation
import Synchronization
import WriteJournal

/// The journal failed when the tag had been changed already, or may have been.
struct JournalFailure: Failure {
    /// What was done to the tag.
    enum Standing: Hashable {
        /// The message was not written; something else on the tag was changed before.
        case notBegun
        /// All was done; a past participle, such as *written and verified*.
        case done(String)
    }

    let error: WriteJournalError
    let standing: Standing

    var name: ErrorName { .badFile }

    var message: String {
        switch (standing, error) {
        case (.notBegun, _): "\(error) The message was not written."
        case (.done(let deed), .notWritable(let path, let reason)):
            "The tag was \(deed); the journal entry \(path) could not be removed: \(reason)."
        case (.done(let deed), _): "The tag was \(deed). \(error)"
        }
    }

    /// What to do; nil where the error says all.
    var advice: String? {
        guard case .done = standing else { return nil }
        let folder = URL(filePath: error.path).deletingLastPathComponent().path
        return """
            Nothing is left to do on the tag. See who may write in the folder:  ls -ld \(ShellLine.quoted(folder))
            Then delete the entry: a later command may take the change for interrupted.
            """
    }
}

/// The tags on which a write was begun.
///
/// Any thread.
final class BegunWrites: Sendable {
    private let uids = Mutex<Set<[UInt8]>>([])

    /// Notes that the next command may change the tag.
    func note(_ uid: [UInt8]) { uids.withLock { _ = $0.insert(uid) } }

    /// The error of the journal with what is true of the tag.
    func told(_ error: WriteJournalError, of uid: [UInt8], _ standing: JournalFailure.Standing) -> any Failure {
        guard uids.withLock({ $0.contains(uid) }) else { return TagFailure(beforeAnyChange: error) }
        return JournalFailure(error: error, standing: standing)
    }
}

extension TagFailure {
    /// An error of the journal of writes before anything was changed.
    init(beforeAnyChange error: WriteJournalError) {
        self.init(name: .badFile, message: "\(error) Nothing was changed.", details: [:], cause: error)
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
        return (error as? WriteJournalError).map(TagFailure.init(beforeAnyChange:)) ?? error
    }
}
