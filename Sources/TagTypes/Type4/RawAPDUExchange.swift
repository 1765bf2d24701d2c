// One command APDU as it is, short or extended, and the card's answer as it is — ISO/IEC 7816-3 and 7816-4
public import ReaderInterface

/// Sends command APDUs for a program that follows `61xx` and `6Cxx` itself.
public struct RawAPDUExchange {
    /// A card that makes a key stretches its time by S(WTX) again and again, which the reader grants by itself; one that has left
    /// shows much earlier.
    static let longestAnswer = Duration.seconds(10)

    private let channel: any TagChannel

    /// Makes an exchange over a channel to an ISO-DEP target.
    public init(over channel: any TagChannel) { self.channel = channel }

    /// Sends one command.
    ///
    /// Data that is too long for the reader goes as a chain of commands; not that of a wrapped native one, to whose
    /// class chains are unknown. Where a number of bytes is asked for that the reader does not carry, less is.
    ///
    /// - Parameters:
    ///   - command: at most 65535 bytes of data, Ne at most 65536.
    ///   - isExtended: the form of extended length, also where the short one would do.
    /// - Returns: the answer to the command. Of a chain it is the answer to the last part, or to the first part whose
    ///   status word is not 9000.
    /// - Throws: ``TagError/reader(_:)``; ``TagError/protocolViolation(field:found:expected:offset:)`` for an answer
    ///   without status word. A status word other than 9000 is no error.
    public func send(_ command: CommandAPDU, isExtended: Bool = false) throws(TagError) -> ResponseAPDU {
        var command = command
        command.ne = askable(command)
        if let whole = command.bytes(isExtended: isExtended), whole.count <= channel.maxCommandLength {
            return try channel.transceiveAPDU(whole, timeout: Self.longestAnswer)
        }
        let room = min(CommandAPDU.maxDataLength, channel.maxCommandLength - 9)
        let chain = command.cla == MiFareCommands.wrappedClass ? [] : command.chained(length: room)
        for part in chain.dropLast() {
            let answer = try send(part)
            guard answer.sw == .success else { return answer }
        }
        guard chain.count > 1, let last = chain.last else {
            throw .reader(.commandTooLong(length: command.data.count, limit: room))
        }
        return try send(last)
    }

    /// As many bytes as the reader carries, where the card may send fewer than the program asks for.
    ///
    /// That is so of a file (READ BINARY) and of any number. “All there are”, Le 00 or 0000, is another question to other
    /// commands.
    private func askable(_ command: CommandAPDU) -> Int? {
        let limit = max(1, channel.maxResponseLength - 2)
        guard let ne = command.ne, ne > limit else { return command.ne }
        let isAll = ne == 256 || ne == 65_536
        return isAll && command.ins != Self.readBinary ? ne : limit
    }

    private static let readBinary: UInt8 = 0xB0
}

extension CommandAPDU {
    /// The bytes on the wire, in the extended form where it is asked for or needed: `CLA INS P1 P2 [00 Lc Lc data] [[00] Le Le]`.
    ///
    /// Nil when data or Ne do not fit it.
    func bytes(isExtended: Bool) -> [UInt8]? {
        if !isExtended, let short = bytes { return short }
        guard data.count <= 0xFFFF, ne.map({ 1...65_536 ~= $0 }) ?? true else { return nil }
        func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 0xFF), UInt8(value & 0xFF)] }
        let body = data.isEmpty ? [] : [0x00] + number(data.count) + data
        let le = ne.map { (data.isEmpty ? [0x00] : []) + number($0 & 0xFFFF) } ?? []
        return [cla, ins, p1, p2] + body + le
    }
}
