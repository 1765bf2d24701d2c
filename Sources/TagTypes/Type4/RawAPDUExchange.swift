// Sending one command APDU, short or extended, and returning the card's answer unchanged — ISO/IEC 7816-3 and 7816-4
public import ReaderInterface

/// Sends command APDUs for a program that handles `61xx` and `6Cxx` itself.
public struct RawAPDUExchange {
    /// The timeout for one answer.
    ///
    /// While a card generates a key, it repeatedly requests more time with S(WTX), which the reader grants. The reader
    /// detects much earlier that a card has left.
    static let longestAnswer = Duration.seconds(10)

    private let channel: any TagChannel

    /// Creates an exchange over a channel to an ISO-DEP target.
    public init(over channel: any TagChannel) { self.channel = channel }

    /// Sends one command.
    ///
    /// Data that is too long for the reader is sent as a chain of commands, except with wrapped native commands, whose
    /// class does not support chains. If the reader cannot return as many bytes as requested, fewer are requested. A
    /// command with secure messaging is never changed.
    ///
    /// - Parameters:
    ///   - command: the command, with at most 65535 bytes of data and an Ne of at most 65536.
    ///   - isExtended: whether to use the extended length form even if the short form would be sufficient.
    /// - Returns: the answer to the command. For a chain, the answer to the last part, or to the first part whose
    ///   status word is not 9000.
    /// - Throws: ``TagError/reader(_:)``; ``TagError/protocolViolation(field:found:expected:offset:)`` if an answer has
    ///   no status word. A status word other than 9000 is not an error.
    public func send(_ command: CommandAPDU, isExtended: Bool = false) throws(TagError) -> ResponseAPDU {
        var command = command
        if !command.isProtected { command.ne = askable(command) }
        if let whole = command.bytes(isExtended: isExtended), whole.count <= channel.maxCommandLength {
            return try channel.transceiveAPDU(whole, timeout: Self.longestAnswer)
        }
        let room = min(CommandAPDU.maxDataLength, channel.maxCommandLength - 9)
        let isWhole = command.isProtected || command.cla == MiFareCommands.wrappedClass
        let chain = isWhole ? [] : command.chained(length: room)
        for part in chain.dropLast() {
            let answer = try send(part)
            guard answer.sw == .success else { return answer }
        }
        guard chain.count > 1, let last = chain.last else {
            throw .reader(.commandTooLong(length: command.data.count, limit: room))
        }
        return try send(last)
    }

    /// Returns Ne, limited to the length that the reader can return, unless this would change the meaning of the
    /// command.
    ///
    /// The limit applies to READ BINARY, and to any explicit Ne. In other commands, Le 00 or 0000 ("all available
    /// bytes") is left unchanged.
    private func askable(_ command: CommandAPDU) -> Int? {
        let limit = max(1, channel.maxResponseLength - 2)
        guard let ne = command.ne, ne > limit else { return command.ne }
        let isAll = ne == 256 || ne == 65_536
        return isAll && command.ins != Self.readBinary ? ne : limit
    }

    private static let readBinary: UInt8 = 0xB0
}

extension CommandAPDU {
    /// Returns the bytes to send, in extended form if requested or needed:
    /// `CLA INS P1 P2 [00 Lc Lc data] [[00] Le Le]`.
    ///
    /// The result is `nil` if the data or Ne does not fit.
    func bytes(isExtended: Bool) -> [UInt8]? {
        if !isExtended, let short = bytes { return short }
        guard data.count <= 0xFFFF, ne.map({ 1...65_536 ~= $0 }) ?? true else { return nil }
        func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
        let body = data.isEmpty ? [] : [0x00] + number(data.count) + data
        let le = ne.map { (data.isEmpty ? [0x00] : []) + number($0 & 0xFFFF) } ?? []
        return [cla, ins, p1, p2] + body + le
    }
}
