// The tag a session hands to its delegate: operations queue up, and are judged when they run — CoreNFC NFCNDEFTag

package import Foundation
import NDEF
package import NFCReader
import Synchronization
package import TagTypes

// Unchecked: `forumTag` and `channel` are touched on the reader's queue only.
/// A tag found by a session.
package class SessionTag: NSObject, NFCNDEFTag, @unchecked Sendable {
    /// The target, as activated.
    package let target: Target
    /// The session's round of polling that found the tag.
    let round: Int
    package let readerSession: NFCReaderSession
    private let sight = Mutex(Sight())
    private(set) var channel: (any TagChannel)?
    private var forumTag: (any ForumTag)?
    /// What ``forumTag`` was opened for.
    private var openedFor: Type2Purpose?

    init(_ target: Target, in session: NFCReaderSession, round: Int) {
        self.target = target
        readerSession = session
        self.round = round
    }

    /// Whether the tag is connected by reading it when no other is; of the tags of a tag session Apple's header says that all
    /// they do wants them connected.
    private var readsUnconnected: Bool { readerSession is NFCNDEFReaderSession }

    package var isAvailable: Bool {
        guard sight.withLock({ $0.isAvailable }), readerSession.isRunning, let tagReader = readerSession.tagReader,
            tagReader.round == round
        else { return false }
        // A tag that answered a moment ago is not asked again.
        if ContinuousClock.now - sight.withLock({ $0.time }) > Self.glance { tagReader.look(for: self) }
        return sight.withLock { $0.isAvailable }
    }

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
        case TagError.passwordNeeded, TagError.wrongPassword, TagError.foreignPACK:
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
        performInSession { tagReader in
            let bytes = try bytes.get()
            if try self.makeForumTag().showMemory(before: {
                try $0.planWrite(bytes, .throughEmpty, oldMessage: .unread)
            }) {
                try self.powerUp(on: tagReader)
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

    /// The tag was activated anew: what is known of its contents is void.
    ///
    /// - Throws: what its first commands throw, in a kind of tag that has some; it is not connected then.
    func connected(on channel: any TagChannel) throws {
        self.channel = channel
        forumTag = nil
    }

    /// Has the tag's field turned off and on, so that the chip reads its configuration anew.
    ///
    /// - Throws: ``ReaderError/tagLost`` when it is gone or of an earlier round.
    func powerUp(on tagReader: SessionReader) throws { try tagReader.powerUp(self) }

    /// Opens a tag that asks for a password, when one is known.
    func open(_ tag: Type2Tag) throws { try readerSession.open(tag) }

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

    /// Runs commands of the client's own on the channel of this activation; the tag must be connected.
    ///
    /// A tag that did not answer is looked for: if it is gone, that is the error.
    ///
    /// - Parameter connectsItself: connects the tag when no tag is connected.
    func performOnChannel<Value: Sendable>(
        connectsItself: Bool = false,
        _ operation: @escaping @Sendable (any TagChannel) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        readerSession.perform { tagReader in
            if connectsItself, tagReader.isUnconnected { try tagReader.connect(to: self) }
            guard tagReader.isConnected(self), let channel = self.channel else {
                throw NFCReaderError(.readerTransceiveErrorTagNotConnected)
            }
            // The commands may change what is known of the tag.
            self.forumTag = nil
            do {
                return try operation(channel)
            } catch TagError.reader(.noAnswer) {
                try tagReader.connect(to: self)
                throw ReaderError.noAnswer
            } catch TagError.reader(.tagLost) {
                tagReader.disconnect()
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
        performInSession(connectsItself: connectsItself, looksFirst: looksFirst) { _ in
            let tag = try self.makeForumTag()
            defer { self.readerSession.learn(from: tag) }
            return try operation(tag)
        } completion: {
            completion($0)
        }
    }

    private func performInSession<Value: Sendable>(
        connectsItself: Bool = false, looksFirst: Bool = false,
        _ operation: @escaping @Sendable (SessionReader) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        readerSession.perform { tagReader in
            if connectsItself, tagReader.isUnconnected { try tagReader.connect(to: self) }
            guard tagReader.isConnected(self) else {
                throw NFCReaderError(.readerTransceiveErrorTagNotConnected)
            }
            // What is known of the tag already may be all the answer: then it must still be there, and the same.
            if looksFirst, self.forumTag != nil { try tagReader.connect(to: self) }
            return try operation(tagReader)
        } completion: { result in
            self.note(result.failure)
            completion(result)
        }
    }

    /// What is known of a tag's presence, and since when.
    private struct Sight {
        var isAvailable = true
        var time = ContinuousClock.now
    }

    /// How long an answer of the tag is proof enough that it is there.
    private static let glance = Duration.milliseconds(100)

    /// An operation that came back tells whether the tag is there; the connection tells whether it is available.
    func note(_ error: (any Error)?) {
        let code = (error as? NFCReaderError)?.code
        if code == nil { sight.withLock { $0.time = .now } }
        if code == .readerTransceiveErrorTagConnectionLost { sight.withLock { $0.isAvailable = false } }
    }

    /// The tag is connected now, or it left or was dropped for another one.
    func connectionChanged(isConnected: Bool) {
        sight.withLock { $0 = Sight(isAvailable: isConnected) }
    }

    /// The tag type's procedures over the channel of this activation, opened where the tag asks for a password.
    func makeForumTag() throws -> any ForumTag {
        let purpose = readerSession.passwordPurpose
        if let forumTag, openedFor == purpose || openedFor == .writing { return forumTag }
        guard let channel else { throw NFCReaderError(.readerTransceiveErrorTagNotConnected) }
        let tag = forumTag ?? TagDetection.tag(on: channel)
        if let tag = tag as? Type2Tag { try open(tag) }
        (forumTag, openedFor) = (tag, purpose)
        return tag
    }
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
