// The connection to a tag on a reader in a separate process

import ReaderInterface

/// The channel to the target that an ``IsolatedReader`` has selected.
///
/// The channel becomes invalid when the reader selects another target.
final class IsolatedChannel: TagChannel {
    let target: Target
    var maxCommandLength: Int { limits.maxCommandLength }
    var maxResponseLength: Int { limits.maxResponseLength }
    var longestSilence: Duration { limits.longestSilence }
    private let limits: ChannelLimits
    private unowned let reader: IsolatedReader
    private static let operation = "sending a tag command"

    init(target: Target, reader: IsolatedReader, limits: ChannelLimits) {
        self.target = target
        self.reader = reader
        self.limits = limits
    }

    func carries(_ command: [UInt8], framing: Framing) -> Bool {
        // If the reader is gone, this is reported when the command is sent.
        guard case .carried(let isCarried)? = try? reply(to: .carries(command, framing)) else { return true }
        return isCarried
    }

    func hidesRefusal(of command: [UInt8]) -> Bool {
        if case .carried(let isHidden)? = try? reply(to: .hidesRefusal(command)) { isHidden } else { false }
    }

    func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8] {
        guard case .bytes(let bytes) = try reply(to: .transceive(command, framing, timeout: waiting(timeout)))
        else {
            throw reader.nonsense(Self.operation)
        }
        return bytes
    }

    func exchangeFrame(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> FrameAnswer {
        try frameAnswer(to: .exchangeFrame(command, timeout: waiting(timeout)))
    }

    func exchangeShortFrame(_ code: UInt8, timeout: Duration) throws(ReaderError) -> FrameAnswer {
        try frameAnswer(to: .exchangeShortFrame(code, timeout: waiting(timeout)))
    }

    private func frameAnswer(to request: ReaderRequest) throws(ReaderError) -> FrameAnswer {
        switch try reply(to: request) {
        case .bytes(let bytes): return .bytes(bytes)
        case .nibble(let nibble): return .nibble(nibble)
        default: throw reader.nonsense(Self.operation)
        }
    }

    func reselect() throws(ReaderError) { _ = try reply(to: .reselect) }

    /// Returns the time that the reader actually waits, which determines the deadline of a request.
    private func waiting(_ timeout: Duration) -> Duration { max(timeout, longestSilence) }

    private func reply(to request: ReaderRequest) throws(ReaderError) -> ReaderReply {
        guard reader.isCurrent(self) else { throw .tagLost }
        return try reader.reply(to: request, during: Self.operation)
    }
}
