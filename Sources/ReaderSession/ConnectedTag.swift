// The tag to which a session is connected, and how to open it — queryNDEFStatus, read, write

public import ReaderInterface
public import TagTypes

/// A tag to which a session has connected, with the means to open it if it requires a password.
///
/// Operations run one after the other on the reader's queue. After another tag is connected, they fail with
/// ``SessionError/notConnected``.
public struct ConnectedTag: Sendable {
    /// The tag as it was found.
    public let detected: DetectedTag
    /// The means to open the tag, and the purpose of opening it.
    ///
    /// A change takes effect with the next operation.
    public var unlocking: Unlocking

    package init(_ detected: DetectedTag, opening unlocking: Unlocking) {
        self.detected = detected
        self.unlocking = unlocking
    }

    /// The target as it was activated.
    public var target: Target { detected.target }

    /// Returns whether the tag can hold a message, whether it holds one, and how long a message may be.
    ///
    /// - Throws: `TagError`, `ReaderError`, ``SessionError``.
    public func queryNDEFStatus() async throws -> NDEFState { try await perform { try $0.detect() } }

    /// Reads the bytes of the tag's message.
    ///
    /// The result is empty if the message is empty.
    ///
    /// - Throws: `TagError`, `ReaderError`, ``SessionError``.
    public func read() async throws -> [UInt8] { try await perform { try $0.readNDEF() } }

    /// Writes a message, with its length last, and reads it back.
    ///
    /// The old message is not kept. `SafeTag` provides a write that can restore it.
    /// - Throws: `TagError`, `ReaderError`, ``SessionError``.
    public func write(_ message: [UInt8]) async throws { try await perform { try $0.writeNDEF(message) } }

    /// Runs an operation of the tag's type on the reader's queue, in order with the session's other operations.
    /// - Throws: the error of the operation; ``SessionError``; the reason why the tag was not opened.
    public func perform<Value: Sendable>(
        _ operation: @escaping @Sendable (any ForumTag) throws -> Value
    ) async throws -> Value {
        try await withCheckedThrowingContinuation { continuation in
            detected.perform(opening: unlocking, operation) { continuation.resume(with: $0) }
        }
    }

    /// Checks that the tag is still present.
    ///
    /// If the tag may have left the field since the last operation, or is not connected, it is activated again, and
    /// data that was read from it earlier becomes invalid.
    /// - Throws: `ReaderError.tagLost`; ``SessionError/ended``.
    public func reconnect() async throws { try await detected.session.connect(to: detected) }

    /// Turns the reader's field off and on, so that the chip reads its configuration again.
    /// - Throws: `ReaderError.tagLost`; ``SessionError/ended``.
    public func powerUp() async throws { try await detected.session.powerUp(detected) }
}

extension DetectedTag {
    /// Runs an operation of the tag's type on the reader's queue.
    ///
    /// The tag must be connected. The completion is also called on that queue.
    package func perform<Value: Sendable>(
        opening unlocking: Unlocking, _ operation: @escaping @Sendable (any ForumTag) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        session.perform {
            guard self.session.isConnected(self) else { throw SessionError.notConnected }
            let tag = try self.forumTag(opening: unlocking)
            defer { self.session.passwords.learn(from: tag) }
            return try operation(tag)
        } completion: { result in
            self.note(result.failure)
            completion(result)
        }
    }
}

extension SessionCore {
    func connect(to tag: DetectedTag) async throws { try await run(on: tag) { try self.activate(tag) } }

    func powerUp(_ tag: DetectedTag) async throws { try await run(on: tag) { try self.activateAfterPowerUp(tag) } }

    private func run(on tag: DetectedTag, _ operation: @escaping @Sendable () throws -> Void) async throws {
        guard tag.session === self else { throw SessionError.foreignTag }
        try await withCheckedThrowingContinuation { (continuation: CheckedContinuation<Void, any Error>) in
            perform(operation) { result in
                tag.note(result.failure)
                continuation.resume(with: result)
            }
        }
    }
}

extension Result {
    package var failure: Failure? { if case .failure(let error) = self { error } else { nil } }
}
