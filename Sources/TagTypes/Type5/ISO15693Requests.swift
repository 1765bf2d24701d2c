// Requests of ISO 15693 to one tag as a program sends them — ISO/IEC 15693-3, Requests and Responses

public import ReaderInterface

/// Sends requests to one NFC-V tag; nothing but silence and a reader's failure is repaired here.
public struct ISO15693Requests {
    /// The most bytes of a frame, flags included, without CRC, as on an iPhone.
    public static let longestFrame = 256

    let channel: any TagChannel
    /// The UID, 8 bytes, E0 first.
    public let uid: [UInt8]

    /// Makes requests for a tag with this UID.
    public init(over channel: any TagChannel, uid: [UInt8]) {
        (self.channel, self.uid) = (channel, uid)
    }

    /// The longest response with its flags, in bytes, that the reader can return.
    public var longestResponse: Int { channel.maxResponseLength }

    /// Sends a request and returns the response, an error response too.
    ///
    /// - Throws: what ``exchange(frame:)`` throws.
    public func exchange(_ request: ISO15693Request) throws(TagError) -> ISO15693Response {
        try exchange(frame: request.frame(to: uid))
    }

    /// Sends a whole frame, request flags first, without CRC, and returns the response, an error response too.
    ///
    /// - Throws: ``TagError/reader(_:)``; ``TagError/protocolViolation(field:found:expected:offset:)`` for a response without flags.
    public func exchange(frame: [UInt8]) throws(TagError) -> ISO15693Response {
        guard frame.count <= Self.longestFrame else {
            throw .reader(.commandTooLong(length: frame.count, limit: Self.longestFrame))
        }
        return try ISO15693Response(onReader { () throws(ReaderError) in try channel.transceive(frame, framing: .raw) })
    }

    /// Sends a request and returns the response of a tag that carried it out.
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

    /// Sends a request that tags do not answer: Stay Quiet, Challenge.
    ///
    /// - Throws: what ``send(_:)`` throws, but for silence.
    public func sendWithoutAnswer(_ request: ISO15693Request) throws {
        do { try send(request) } catch TagError.reader(.noAnswer) {}
    }

    /// Sends a request that changes the tag.
    ///
    /// Readers report a tag that takes its time as silent though it has carried out the command: so silence is a failure only
    /// where the tag is not seen to have changed.
    ///
    /// - Parameters:
    ///   - request: the request.
    ///   - isDone: whether the tag shows the change; asked after silence.
    /// - Throws: what ``send(_:)`` and `isDone` throw.
    public func change(_ request: ISO15693Request, isDone: () throws -> Bool) throws {
        do {
            try send(request)
        } catch TagError.reader(.noAnswer) {
            guard try shows(isDone) else { throw TagError.reader(.noAnswer) }
        }
    }

    /// A tag that refuses to be asked shows nothing.
    private func shows(_ isDone: () throws -> Bool) throws -> Bool {
        do { return try isDone() } catch is ISO15693Refusal { return false }
    }

    /// Sends a request that locks what no request shows: after silence it is sent again, and a tag that refuses it because of
    /// the lock is locked.
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
