// ISO 15693 requests to one tag, sent as given — ISO/IEC 15693-3, Requests and Responses

public import ReaderInterface

/// Sends requests to one NFC-V tag.
///
/// Requests are sent as given. The caller interprets the responses.
public struct ISO15693Requests {
    /// The maximum length of a frame in bytes, including the flags but not the CRC.
    ///
    /// iPhones have the same limit.
    public static let longestFrame = 256

    let channel: any TagChannel
    /// The UID, 8 bytes, E0 first.
    public let uid: [UInt8]

    /// Creates requests for the tag with this UID.
    public init(over channel: any TagChannel, uid: [UInt8]) {
        (self.channel, self.uid) = (channel, uid)
    }

    /// The maximum length in bytes of a response, including its flags, that the reader can return.
    public var longestResponse: Int { channel.maxResponseLength }

    /// Sends a request and returns the response, even if it is an error response.
    ///
    /// - Throws: what ``exchange(frame:)`` throws.
    public func exchange(_ request: ISO15693Request) throws(TagError) -> ISO15693Response {
        try exchange(frame: request.frame(to: uid))
    }

    /// Sends a complete frame, starting with the request flags and without CRC, and returns the response, even if it is
    /// an error response.
    ///
    /// - Throws: ``TagError/reader(_:)``; ``TagError/protocolViolation(field:found:expected:offset:)`` if the response
    ///   has no flags.
    public func exchange(frame: [UInt8]) throws(TagError) -> ISO15693Response {
        guard frame.count <= Self.longestFrame else {
            throw .reader(.commandTooLong(length: frame.count, limit: Self.longestFrame))
        }
        return try ISO15693Response(onReader { () throws(ReaderError) in try channel.transceive(frame, framing: .raw) })
    }

    /// Sends a request and returns the response if the tag has carried it out.
    ///
    /// - Throws: what ``exchange(_:)`` throws; ``ISO15693Refusal``.
    @discardableResult
    public func send(_ request: ISO15693Request) throws -> ISO15693Response {
        let response = try exchange(request)
        if case .error(let error) = try ISO15693Answer([response.flags] + response.data) {
            throw ISO15693Refusal(command: request.code, error: error)
        }
        return response
    }

    /// Sends a request that tags do not answer, such as Stay Quiet or Challenge.
    ///
    /// - Throws: what ``send(_:)`` throws, except for a missing answer.
    public func sendWithoutAnswer(_ request: ISO15693Request) throws {
        do { try send(request) } catch TagError.reader(.noAnswer) {}
    }

    /// Sends a request that changes the tag.
    ///
    /// If a tag is slow, a reader may report a missing answer although the tag has carried out the command. A missing
    /// answer is therefore a failure only if the tag does not show the change.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - isDone: whether the tag shows the change. It is called after a missing answer.
    /// - Throws: what ``send(_:)`` and `isDone` throw.
    public func change(_ request: ISO15693Request, isDone: () throws -> Bool) throws {
        do {
            try send(request)
        } catch TagError.reader(.noAnswer) {
            guard try shows(isDone) else { throw TagError.reader(.noAnswer) }
        }
    }

    /// Returns the result of `isDone`, or `false` if the tag refuses the check.
    private func shows(_ isDone: () throws -> Bool) throws -> Bool {
        do { return try isDone() } catch is ISO15693Refusal { return false }
    }

    /// Sends a request for a lock whose effect cannot be read back.
    ///
    /// If the tag does not answer, the request is sent again. If the tag then reports that the block is locked, the
    /// lock is set.
    ///
    /// - Throws: what ``send(_:)`` throws.
    public func lock(_ request: ISO15693Request) throws {
        try change(request) {
            do {
                try send(request)
                return true
            } catch let refusal as ISO15693Refusal {
                return [.alreadyLocked, .locked].contains(refusal.error)
            }
        }
    }
}
