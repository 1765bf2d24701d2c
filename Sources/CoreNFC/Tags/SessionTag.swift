// The tag that a session passes to its delegate. Operations are queued, and checked when they run — CoreNFC NFCNDEFTag

package import Foundation
import NDEF
package import ReaderInterface
import ReaderSession
package import TagTypes

// Unchecked: subclasses use their state only on the reader's queue.
package class SessionTag: NSObject, NFCNDEFTag, ActivationObserver, @unchecked Sendable {
    /// The same tag without Apple's interface.
    let detected: DetectedTag
    package let readerSession: NFCReaderSession

    init(_ detected: DetectedTag, in session: NFCReaderSession) {
        self.detected = detected
        readerSession = session
        super.init()
        detected.observer = self
    }

    package var target: Target { detected.target }

    var core: SessionCore { readerSession.core }

    /// Whether a read connects the tag if no tag is connected.
    ///
    /// Apple's header requires a connection for every operation on the tags of a tag session.
    private var readsUnconnected: Bool { readerSession is NFCNDEFReaderSession }

    package var isAvailable: Bool { detected.isAvailable }

    package func queryNDEFStatus(completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void) {
        perform(looksFirst: true) {
            try $0.detect()
        } completion: { result in
            switch result {
            case .success(let state):
                // Apps do not initialise tags, so they cannot use the capacity that a blank tag would have after
                // initialisation.
                let capacity = state.status == .notSupported ? 0 : state.capacity
                completionHandler(NFCNDEFStatus(state.status), capacity, nil)
            case .failure(let error): completionHandler(.notSupported, 0, Self.refusal(ofReading: error))
            }
        }
    }

    package func readNDEF(completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void) {
        // Some apps read without connecting. Connecting automatically here never drops the connection to another tag.
        perform(connectsItself: readsUnconnected, looksFirst: true) {
            try NFCNDEFMessage(readFrom: $0)
        } completion: { result in
            switch result {
            case .success(let message): completionHandler(message, nil)
            case .failure(let error): completionHandler(nil, Self.refusal(ofReading: error))
            }
        }
    }

    /// Returns the error to report for a failed read.
    ///
    /// If the tag requires a password for reading, the code is 102, because "not writable" would be misleading.
    private static func refusal(ofReading error: any Error) -> any Error {
        guard let cause = (error as? NFCReaderError)?.cause else { return error }
        switch cause {
        case TagError.passwordNeeded, TagError.passwordUnsupported, TagError.keyNeeded, TagError.wrongPassword,
            TagError.foreignPACK:
            return NFCReaderError(.readerTransceiveErrorTagResponseError, causedBy: cause)
        default: return error
        }
    }

    package func writeNDEF(
        _ ndefMessage: NFCNDEFMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        // Encode the message now, so that later changes by the client do not affect what is written.
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
            // If the tag refuses a command of a write, the app receives the code of a failed update.
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

    /// Called after an activation.
    ///
    /// An activation invalidates everything that is known about the tag, except its content.
    package func activated(on channel: any TagChannel) throws {}

    /// Prepares the tag for an operation on its message after the client's own commands.
    ///
    /// Called on the reader's queue.
    func prepareForMessage() throws {}

    /// Turns the tag's field off and on, so that the chip reads its configuration again.
    ///
    /// - Throws: ``ReaderError/tagLost`` if the tag is gone or belongs to an earlier round of polling.
    func powerUp() throws { try core.activateAfterPowerUp(detected) }

    /// The means to open the tag if it requires a password.
    var unlocking: Unlocking { .none }

    // MARK: NSCopying, NSSecureCoding: a tag is a physical object, so a copy is the same tag and an archive is empty.

    package func copy(with zone: NSZone? = nil) -> Any { self }
    package static var supportsSecureCoding: Bool { true }
    package func encode(with coder: NSCoder) {}
    package required init?(coder: NSCoder) { nil }
}

extension SessionTag {
    /// Runs an operation of the tag's type on the reader's queue, in order with the session's other operations.
    ///
    /// - Throws: ``NFCReaderError``, with the tag's own error under `NSUnderlyingErrorKey`.
    package func perform<Value: Sendable>(
        _ operation: @escaping @Sendable (any ForumTag) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            perform(operation) { continuation.resume(with: $0) }
        }
    }

    /// Runs the client's own commands on the channel of this activation.
    ///
    /// The tag must be connected, but with `connectsItself`, it is connected automatically if no tag is connected. If
    /// the tag does not answer, the reader looks for it, and the error reports whether it is gone.
    func performOnChannel<Value: Sendable>(
        connectsItself: Bool = false,
        _ operation: @escaping @Sendable (any TagChannel) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        readerSession.perform(on: self) {
            try self.connectItself(connectsItself)
            guard self.core.isConnected(self.detected), let channel = self.detected.channel else {
                throw SessionError.notConnected
            }
            do {
                try self.detected.selectFirstSector()
                // The commands may change the tag, so what is known about it is discarded.
                self.detected.forget()
                return try operation(channel)
            } catch TagError.reader(.noAnswer) {
                try self.core.activate(self.detected)
                throw ReaderError.noAnswer
            } catch TagError.reader(.tagLost) {
                self.core.disconnect()
                throw ReaderError.tagLost
            }
        } completion: {
            completion($0)
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
        readerSession.perform(on: self) {
            try self.connectItself(connectsItself)
            guard self.core.isConnected(self.detected) else { throw SessionError.notConnected }
            // The answer may already be known, so first check that the same tag is still present.
            if looksFirst, self.detected.isKnown { try self.core.activate(self.detected) }
            try self.prepareForMessage()
            return try operation()
        } completion: {
            completion($0)
        }
    }

    /// Connects the tag before an operation, on the reader's queue.
    ///
    /// `isWanted` is set for operations that connect the tag if no other tag is connected.
    private func connectItself(_ isWanted: Bool) throws {
        guard isWanted && core.isUnconnected || readerSession.connectsTagsItself && !core.isConnected(detected) else {
            return
        }
        try core.activate(detected)
    }

    /// Returns the procedures of the tag's type over the channel of this activation.
    ///
    /// The procedures open the tag with the password if it requires one.
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
    convenience init(readFrom tag: any ForumTag) throws {
        let bytes = try tag.readNDEF()
        guard !bytes.isEmpty else { throw NFCReaderError(.ndefReaderSessionErrorZeroLengthMessage) }
        self.init(try NDEFMessage(bytes: bytes))
    }
}
