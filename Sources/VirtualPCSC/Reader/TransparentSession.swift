// The transparent session, which carries the tag's frames in APDUs — PC/SC 2.02 part 3 amendment 1

import VirtualPN532

/// The state of a transparent session.
struct TransparentSession {
    /// The time limit that a timer object set for the whole session; nil for the reader's default.
    var timer: Duration?
}

/// A data object: a tag of one or two bytes, a length, and a value — ISO/IEC 8825-1.
struct DataObject {
    let tag: UInt16
    let value: [UInt8]

    /// Parses the data objects in a command, or returns nil if their lengths do not match the data.
    static func parse(_ bytes: [UInt8]) -> [DataObject]? {
        var objects: [DataObject] = []
        var rest = bytes[...]
        while let first = rest.popFirst() {
            var tag = UInt16(first)
            if first & 0x1F == 0x1F {
                guard let second = rest.popFirst() else { return nil }
                tag = tag << 8 | UInt16(second)
            }
            guard var length = rest.popFirst().map(Int.init) else { return nil }
            if length > 0x80 {
                let size = length - 0x80
                guard size <= 2, rest.count >= size else { return nil }
                length = rest.prefix(size).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(size)
            }
            guard rest.count >= length else { return nil }
            objects.append(DataObject(tag: tag, value: Array(rest.prefix(length))))
            rest = rest.dropFirst(length)
        }
        return objects
    }

    /// Encodes tag, length and value, with the shortest possible length field.
    static func encode(_ tag: UInt8, _ value: [UInt8]) -> [UInt8] {
        let count = value.count
        let length: [UInt8] =
            count < 0x80
            ? [UInt8(count)]
            : count < 0x100 ? [0x81, UInt8(count)] : [0x82, UInt8(count >> 8 & 0xFF), UInt8(count & 0xFF)]
        return [tag] + length + value
    }
}

extension ReaderFirmware {
    private enum Tag {
        static let version: UInt16 = 0x80
        static let start: UInt16 = 0x81
        static let end: UInt16 = 0x82
        static let fieldOff: UInt16 = 0x83
        static let fieldOn: UInt16 = 0x84
        static let switchProtocol: UInt16 = 0x8F
        static let flags: UInt16 = 0x90
        static let transmitBits: UInt16 = 0x91
        static let receiveBits: UInt16 = 0x92
        static let exchange: UInt16 = 0x95
        static let timer: UInt16 = 0x5F46
    }

    /// The standards in Switch Protocol.
    private static let typeA: UInt8 = 0x00
    private static let iso15693: UInt8 = 0x02
    private static let feliCa: UInt8 = 0x03
    private static let timerSize = 4

    /// Returns `C0 03 index SW`.
    ///
    /// The index is the number of the failed object, counted from 1, or 0 for success.
    private static func outcome(_ word: StatusWord = .success, object: Int = 0) -> [UInt8] {
        [0xC0, 0x03, UInt8(truncatingIfNeeded: object)] + word.bytes
    }

    /// Executes `FF C2 00 P2`.
    ///
    /// With P2 00, the command manages the session; with 01, it exchanges frames; with 02, it switches the protocol.
    func transparent(_ command: PseudoAPDU, _ card: any VirtualTag) -> [UInt8] {
        guard command.p1 == 0, command.p2 <= 2 else { return StatusWord.wrongParameters.bytes }
        guard let objects = DataObject.parse(command.data), !objects.isEmpty else {
            return Self.outcome(.wrongLength) + StatusWord.success.bytes
        }
        var body: [UInt8] = []
        var result = Self.outcome()
        var timer = session?.timer
        for (index, object) in objects.enumerated() {
            do throws(Failure) {
                body += try carry(out: object, command.p2, card, &timer)
            } catch {
                result = Self.outcome(error.word, object: index + 1)
                body += error.data
                break
            }
        }
        return result + body + StatusWord.success.bytes
    }

    private struct Failure: Error {
        var word: StatusWord
        var data: [UInt8] = []
    }

    private func carry(
        out object: DataObject, _ p2: UInt8, _ card: any VirtualTag, _ timer: inout Duration?
    ) throws(Failure) -> [UInt8] {
        switch (p2, object.tag) {
        case (0, Tag.version): return DataObject.encode(0x80, [0x01, 0x00, 0x00])
        case (0, Tag.start):
            guard session == nil else { throw Failure(word: .notAllowed) }
            session = TransparentSession()
            return []
        case (0, Tag.end):
            guard session != nil else { throw Failure(word: .notAllowed) }
            session = nil
            return []
        case (0, Tag.fieldOff):
            card.fieldOff()
            return []
        case (0, Tag.fieldOn): return []
        case (2, Tag.switchProtocol):
            guard session != nil else { throw Failure(word: .notAllowed) }
            guard object.value.count == 2 else { throw Failure(word: .wrongLength) }
            return try switchProtocol(to: object.value[0], layer: object.value[1], card)
        case (1, Tag.flags), (1, Tag.transmitBits), (1, Tag.receiveBits): return []
        case (0, Tag.timer), (1, Tag.timer):
            guard object.value.count == Self.timerSize else { throw Failure(word: .wrongLength) }
            let time = Duration.microseconds(object.value.reversed().reduce(0) { $0 << 8 | Int64($1) })
            if p2 == 0 { session?.timer = time }
            timer = time
            return []
        case (1, Tag.exchange): return try exchange(object.value, timer ?? model.exchangeTime, card)
        default: throw Failure(word: .functionNotSupported)
        }
    }

    private func switchProtocol(to standard: UInt8, layer: UInt8, _ card: any VirtualTag) throws(Failure) -> [UInt8] {
        guard layer == 0x03 else { throw Failure(word: .functionNotSupported) }
        let isThere =
            switch (standard, card) {
            case (Self.iso15693, is VirtualISO15693Tag): true
            case (Self.typeA, is any TypeATag): proximity.activate(card, sendsRATS: false) != nil
            case (Self.feliCa, is any FeliCaTag): proximity.activate(card) != nil
            default: false
            }
        guard isThere else { throw Failure(word: .timeout) }
        return DataObject.encode(0x8F, [0x00])
    }

    private func exchange(
        _ frame: [UInt8], _ time: Duration, _ card: any VirtualTag
    ) throws(Failure) -> [UInt8] {
        guard session != nil else { throw Failure(word: .notAllowed) }
        guard card is VirtualISO15693Tag else {
            guard let (answer, lastBits) = proximity.exchangeFrame(frame) else { throw Failure(word: .timeout) }
            return Self.received(answer, lastBits: UInt8(truncatingIfNeeded: lastBits))
        }
        switch vicinity.exchange(frame, wait: time, sendsEOF: model.sendsWriteEOF) {
        case .silence: throw Failure(word: .timeout)
        case .collision: throw Failure(word: .failed)
        case .frame(let answer):
            guard answer.count <= model.maximumAnswer else { throw Failure(word: .failed) }
            return Self.received(answer)
        }
    }

    /// Returns three data objects: the number of valid bits in the last byte, the response status, and the response.
    private static func received(_ answer: [UInt8], lastBits: UInt8 = 0) -> [UInt8] {
        DataObject.encode(0x92, [lastBits]) + DataObject.encode(0x96, [0x00, 0x00]) + DataObject.encode(0x97, answer)
    }
}
