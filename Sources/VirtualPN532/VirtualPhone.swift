// A virtual phone that reads and writes a card — the reader's side of ISO/IEC 14443-4, NFC Forum Type 4 Tag (mapping
// version 2.0)

/// An initiator on the radio, without a chip or a host.
///
/// It reads and writes the tag that a ``VirtualReader`` emulates.
///
/// ```swift
/// let (air, card) = try Antenna.pair()
/// let reader = try VirtualReader(antenna: card)   // its host makes it a target
/// let message = try VirtualPhone(antenna: air).readNDEF()
/// ```
///
/// Only one thread may use a phone. The phone's methods block that thread.
public final class VirtualPhone {
    /// The data that the phone receives while it activates the card.
    public struct Card: Hashable, Sendable {
        /// ATQA in the order in which it is sent: low byte first.
        public var sensRes: [UInt8]
        /// The UID.
        public var nfcID1: [UInt8]
        /// SAK of the last cascade level.
        public var selRes: UInt8
        /// The answer to RATS (ATS): TL, T0, interface bytes, historical bytes.
        public var ats: [UInt8]
    }

    private struct NDEFFile {
        var identifier: [UInt8]
        var size: Int
        var mle: Int
        var mlc: Int
        var isWritable: Bool
    }

    private let antenna: Antenna
    private let radio: Radio
    private var link: ISODEPInitiator?

    /// RATS as a phone sends it: FSD 256 bytes, CID 0.
    private static let rats: [UInt8] = [0xE0, 0x80]
    private static let selectApplication: [UInt8] = [0x00, 0xA4, 0x04, 0x00, 0x07]
    private static let applicationName: [UInt8] = [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01]
    private static let capabilityContainer: [UInt8] = [0xE1, 0x03]
    private static let lengthSize = 2
    private static let success: UInt16 = 0x9000
    /// The maximum number of bytes in one answer, collected from all its pieces.
    private static let longestAnswer = 65_538

    /// Creates a phone.
    /// - Parameter antenna: an antenna that is coupled to a reader's antenna and that no other phone or reader uses.
    public init(antenna: Antenna) {
        self.antenna = antenna
        radio = Radio(
            field: Field(), antenna: antenna, faults: FaultCounter(Faults()), statistics: StatisticsCounter(),
            now: { .now })
    }

    deinit {
        leave()
        antenna.close()
    }

    /// Switches the field on, waits for a card, and selects and activates it.
    /// - Parameter limit: how long to wait for the card.
    /// - Returns: the card's answers to the activation commands.
    /// - Throws: ``VirtualPhoneError/noCard``, ``VirtualPhoneError/notISODEP(selRes:)``,
    ///   ``VirtualPhoneError/lost(status:)``.
    @discardableResult
    public func activate(within limit: Duration = .seconds(10)) throws(VirtualPhoneError) -> Card {
        leave()
        radio.setCarrier(true)
        let deadline = ContinuousClock.now + limit
        while true {
            antenna.update()
            if case .success(let target) = radio.activateTypeA([]) { return try open(target) }
            guard ContinuousClock.now < deadline else { throw .noCard }
            antenna.wait(until: deadline)
        }
    }

    private func open(_ target: TypeATarget) throws(VirtualPhoneError) -> Card {
        guard target.isISODEP else { throw .notISODEP(selRes: target.selRes) }
        let answer = radio.exchange(.withCRC(Self.rats), timeout: .zero, isCommand: false)
        guard case .frame(let frame) = answer, let ats = frame.data, ats.first.map(Int.init) == ats.count else {
            throw .lost(status: ChipStatus.timeout.rawValue)
        }
        link = ISODEPInitiator(ats: ats)
        return Card(sensRes: target.sensRes, nfcID1: target.nfcID1, selRes: target.selRes, ats: ats)
    }

    /// Sends a C-APDU, and returns the R-APDU including SW.
    /// - Throws: ``VirtualPhoneError/lost(status:)``.
    public func transceive(_ command: [UInt8]) throws(VirtualPhoneError) -> [UInt8] {
        guard var link else { throw .lost(status: ChipStatus.notAcceptableInContext.rawValue) }
        defer { self.link = link }
        do throws(ChipStatus) {
            var answer = try link.exchange(command, hasMore: false, over: radio)
            while link.hasMore, answer.count < Self.longestAnswer {
                let piece = try link.exchange([], hasMore: false, over: radio)
                // An empty block ends the loop. Otherwise, a chain of empty blocks would keep it running forever.
                guard !piece.isEmpty else { break }
                answer += piece
            }
            return answer
        } catch {
            throw .lost(status: error.rawValue)
        }
    }

    /// Asks the card with R(NAK) whether it is still present, and returns whether it answered.
    public func isCardPresent() -> Bool { link?.isPresent(over: radio) ?? false }

    /// Deselects the card with S(DESELECT).
    ///
    /// The card stays in the field.
    public func deselect() {
        link?.deselect(over: radio)
        link = nil
    }

    /// Switches the field off.
    public func leave() {
        radio.setCarrier(false)
        link = nil
    }

    /// Activates the card if necessary, and reads its NDEF file with the procedure of the Type 4 Tag specification.
    /// - Returns: the NDEF message, which may be empty.
    /// - Throws: ``VirtualPhoneError``.
    public func readNDEF(within limit: Duration = .seconds(10)) throws(VirtualPhoneError) -> [UInt8] {
        let file = try selectNDEFFile(within: limit)
        let length = try number(readBinary(at: 0, Self.lengthSize))
        guard length + Self.lengthSize <= file.size else { throw .notType4Tag(length.bytes) }
        var message: [UInt8] = []
        while message.count < length {
            let piece = min(file.mle, length - message.count)
            message += try readBinary(at: Self.lengthSize + message.count, piece)
        }
        return message
    }

    /// Activates the card if necessary, and writes its NDEF file.
    ///
    /// The phone writes a length of zero, the message, and the message's length, in this order.
    /// - Throws: ``VirtualPhoneError``.
    public func writeNDEF(_ message: [UInt8], within limit: Duration = .seconds(10)) throws(VirtualPhoneError) {
        let file = try selectNDEFFile(within: limit)
        guard file.isWritable, message.count + Self.lengthSize <= file.size else { throw .notWritable }
        try updateBinary(at: 0, [0x00, 0x00])
        var written = 0
        while written < message.count {
            let piece = Array(message[written..<min(written + file.mlc, message.count)])
            try updateBinary(at: Self.lengthSize + written, piece)
            written += piece.count
        }
        try updateBinary(at: 0, message.count.bytes)
    }

    /// Sends a command, and returns the data of the answer without SW.
    ///
    /// Throws an error unless SW is `9000`.
    private func send(_ command: [UInt8]) throws(VirtualPhoneError) -> [UInt8] {
        let answer = try transceive(command)
        guard answer.count >= 2 else { throw .notType4Tag(answer) }
        let sw = UInt16(answer[answer.count - 2]) << 8 | UInt16(answer[answer.count - 1])
        guard sw == Self.success else { throw .refused(command: command, sw: sw) }
        return answer.dropLast(2)
    }

    private func select(_ file: [UInt8]) throws(VirtualPhoneError) {
        _ = try send([0x00, 0xA4, 0x00, 0x0C, 0x02] + file)
    }

    private func readBinary(at offset: Int, _ length: Int) throws(VirtualPhoneError) -> [UInt8] {
        let data = try send([0x00, 0xB0] + offset.bytes + [UInt8(truncatingIfNeeded: length)])
        guard data.count == length else { throw .notType4Tag(data) }
        return data
    }

    private func updateBinary(at offset: Int, _ data: [UInt8]) throws(VirtualPhoneError) {
        _ = try send([0x00, 0xD6] + offset.bytes + [UInt8(truncatingIfNeeded: data.count)] + data)
    }

    private func selectNDEFFile(within limit: Duration) throws(VirtualPhoneError) -> NDEFFile {
        if link == nil { try activate(within: limit) }
        _ = try send(Self.selectApplication + Self.applicationName + [0x00])
        try select(Self.capabilityContainer)
        // Read CCLEN, the mapping version, MLe, MLc and the NDEF File Control TLV.
        let container = try readBinary(at: 0, 15)
        let file = NDEFFile(
            identifier: Array(container[9..<11]), size: try number(Array(container[11..<13])),
            mle: min(try number(Array(container[3..<5])), 0xFF), mlc: min(try number(Array(container[5..<7])), 0xFF),
            isWritable: container[14] == 0x00)
        guard try number(Array(container[..<2])) >= 15, container[2] >> 4 == 2, container[7] == 0x04,
            container[8] == 0x06, container[13] == 0x00, file.mle >= 15, file.mlc >= 1, file.size >= 5
        else { throw .notType4Tag(container) }
        try select(file.identifier)
        return file
    }

    private func number(_ bytes: [UInt8]) throws(VirtualPhoneError) -> Int {
        guard bytes.count == 2 else { throw .notType4Tag(bytes) }
        return Int(bytes[0]) << 8 | Int(bytes[1])
    }
}

extension Int {
    /// The number as two bytes, high byte first.
    ///
    /// Offsets and lengths are sent in this form.
    fileprivate var bytes: [UInt8] { [UInt8(truncatingIfNeeded: self >> 8), UInt8(truncatingIfNeeded: self)] }
}
