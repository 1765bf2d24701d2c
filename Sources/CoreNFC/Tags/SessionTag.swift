// The tag a session hands to its delegate: operations queue up, and are judged when they run — CoreNFC NFCNDEFTag

package import Foundation
import NDEF
package import ReaderInterface
import ReaderSession
package import TagTypes

// Unchecked: subclasses touch their state on the reader's queue only.
/// A tag found by a session.
package class SessionTag: NSObject, NFCNDEFTag, ActivationObserver, @unchecked Sendable {
    /// The tag below Apple's interface.
    let detected: DetectedTag
    package let readerSession: NFCReaderSession

    init(_ detected: DetectedTag, in session: NFCReaderSession) {
        self.detected = detected
        readerSession = session
        super.init()
        detected.observer = self
    }

    /// The target, as activated.
    package var target: Target { detected.target }

    var core: SessionCore { readerSession.core }

    /// Whether the tag is connected by reading it when no other is; of the tags of a tag session Apple's header says that all
    /// they do wants them connected.
    private var readsUnconnected: Bool { readerSession is NFCNDEFReaderSession }

    package var isAvailable: Bool { detected.isAvailable }

    package func queryNDEFStatus(completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void) {
        perform(looksFirst: true) {
            try $0.detect()
        } completion: { result in
            switch result {
            case .success(let state):
                // What a blank tag would hold once it were initialised is of no use to apps, which do not do that.
                let capacity = state.status == .notSupported ? 0 : state.capacity
                completionHandler(NFCNDEFStatus(state.status), capacity, nil)
            case .failure(let error): completionHandler(.notSupported, 0, Self.refusal(ofReading: error))
            }
        }
    }

    package func readNDEF(completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void) {
        // Apps are known to read without connecting; no other tag loses its connection by it.
        perform(connectsItself: readsUnconnected, looksFirst: true) {
            try NFCNDEFMessage(readFrom: $0)
        } completion: { result in
            switch result {
            case .success(let message): completionHandler(message, nil)
            case .failure(let error): completionHandler(nil, Self.refusal(ofReading: error))
            }
        }
    }

    /// A tag that asks for a password for reading has refused a READ: code 102, since "not writable" says nothing about it.
    private static func refusal(ofReading error: any Error) -> any Error {
        guard let cause = (error as? NFCReaderError)?.cause else { return error }
        switch cause {
        case TagError.passwordNeeded, TagError.keyNeeded, TagError.wrongPassword, TagError.foreignPACK:
            return NFCReaderError(.readerTransceiveErrorTagResponseError, causedBy: cause)
        default: return error
        }
    }

    package func writeNDEF(
        _ ndefMessage: NFCNDEFMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        // Encoded now: what the client does to the message afterwards does not change what is written.
        let bytes = Result { try ndefMessage.message.encoded() }
            .mapError { NFCReaderError(.readerErrorInvalidParameter, causedBy: $0) }
        performInSession {
            let bytes = try bytes.get()
            if try self.makeForumTag().showMemory(before: {
                try $0.planWrite(bytes, .throughEmpty, oldMessage: .unread)
            }) {
                try self.powerUp()
            }
            try self.makeForumTag().writeNDEF(bytes)
        } completion: { result in
            // To an app, a command that a tag refuses is a failed update here, whatever it is elsewhere.
            guard let error = result.failure as? NFCReaderError, error.code == .readerTransceiveErrorTagResponseError
            else { return completionHandler(result.failure) }
            completionHandler(NFCReaderError(.ndefReaderSessionErrorTagUpdateFailure, causedBy: error.cause))
        }
    }

    package func writeLock(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        perform {
            try $0.carryOut(try $0.planLock())
        } completion: {
            completionHandler($0.failure)
        }
    }

    /// The tag was activated: what is known of it besides its contents is void.
    package func activated(on channel: any TagChannel) throws {}

    /// Has the tag's field turned off and on, so that the chip reads its configuration again.
    ///
    /// - Throws: ``ReaderError/tagLost`` when it is gone or of an earlier round.
    func powerUp() throws { try core.activateAfterPowerUp(detected) }

    /// What opens the tag when it asks for a password.
    var unlocking: Unlocking { .none }

    // MARK: NSCopying, NSSecureCoding: a tag is a thing in the field, so a copy is the same tag and an archive holds none.

    package func copy(with zone: NSZone? = nil) -> Any { self }
    package static var supportsSecureCoding: Bool { true }
    package func encode(with coder: NSCoder) {}
    package required init?(coder: NSCoder) { nil }
}

extension SessionTag {
    /// Runs an operation of the tag type on the reader's queue, in turn with the session's other operations.
    ///
    /// - Throws: ``NFCReaderError``, with the tag's own error under `NSUnderlyingErrorKey`.
    package func perform<Value: Sendable>(
        _ operation: @escaping @Sendable (any ForumTag) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            perform(operation) { continuation.resume(with: $0) }
        }
    }

    /// Runs commands of the client's own on the channel of this activation.
    ///
    /// The tag must be connected; `connectsItself` connects it when no tag is. After a tag did not answer, the reader
    /// looks for it: if it is gone, that is the error.
    func performOnChannel<Value: Sendable>(
        connectsItself: Bool = false,
        _ operation: @escaping @Sendable (any TagChannel) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        readerSession.perform {
            try self.connectItself(connectsItself)
            guard self.core.isConnected(self.detected), let channel = self.detected.channel else {
                throw SessionError.notConnected
            }
            // The commands may change what is known of the tag.
            self.detected.forget()
            do {
                return try operation(channel)
            } catch TagError.reader(.noAnswer) {
                try self.core.activate(self.detected)
                throw ReaderError.noAnswer
            } catch TagError.reader(.tagLost) {
                self.core.disconnect()
                throw ReaderError.tagLost
            }
        } completion: { result in
            self.note(result.failure)
            completion(result)
        }
    }

    private func perform<Value: Sendable>(
        connectsItself: Bool = false, looksFirst: Bool = false,
        _ operation: @escaping @Sendable (any ForumTag) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        performInSession(connectsItself: connectsItself, looksFirst: looksFirst) {
            let tag = try self.makeForumTag()
            defer { self.core.passwords.learn(from: tag) }
            return try operation(tag)
        } completion: {
            completion($0)
        }
    }

    private func performInSession<Value: Sendable>(
        connectsItself: Bool = false, looksFirst: Bool = false,
        _ operation: @escaping @Sendable () throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        readerSession.perform {
            try self.connectItself(connectsItself)
            guard self.core.isConnected(self.detected) else { throw SessionError.notConnected }
            // What is known of the tag already may be all the answer: then it must still be there, and the same.
            if looksFirst, self.detected.isKnown { try self.core.activate(self.detected) }
            return try operation()
        } completion: { result in
            self.note(result.failure)
            completion(result)
        }
    }

    /// Connects the tag before an operation where no connection is asked for; on the reader's queue.
    ///
    /// `isWanted` is set for operations that need no connection while no other tag has it.
    private func connectItself(_ isWanted: Bool) throws {
        guard isWanted && core.isUnconnected || readerSession.connectsTagsItself && !core.isConnected(detected) else {
            return
        }
        try core.activate(detected)
    }

    /// The result of an operation shows whether the tag is present.
    func note(_ error: (any Error)?) { detected.note((error as? NFCReaderError)?.cause ?? error) }

    /// The tag type's procedures over the channel of this activation, opened where the tag asks for a password.
    func makeForumTag() throws -> any ForumTag { try detected.forumTag(opening: unlocking) }
}

extension NFCNDEFStatus {
    init(_ status: NDEFStatus) {
        switch status {
        case .notSupported: self = .notSupported
        case .readWrite: self = .readWrite
        case .readOnly: self = .readOnly
        }
    }
}

extension NFCNDEFMessage {
    /// Reads and decodes a tag's message.
    convenience init(readFrom tag: any ForumTag) throws {
        let bytes = try tag.readNDEF()
        guard !bytes.isEmpty else { throw NFCReaderError(.ndefReaderSessionErrorZeroLengthMessage) }
        self.init(try NDEFMessage(bytes: bytes))
    }
}
