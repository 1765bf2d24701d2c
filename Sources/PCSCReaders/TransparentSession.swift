// Raw frames to a card, which bypass the reader's own commands — PC/SC part 3, amendment 2.02: 3.2.5, transparent
// session

import ReaderInterface

/// A transparent session with a reader, which transmits frames of one radio standard and adds the CRC.
///
/// `FF C2 00 00` manages the session, `FF C2 00 02` selects the standard, and `FF C2 00 01` exchanges frames.
final class TransparentSession {
    /// A radio standard at layer 3 (frames without a protocol), with its value in tag 8F.
    enum Standard: UInt8 {
        case nfcA = 0x00
        case nfcB = 0x01
        case nfcV = 0x02
        case nfcF = 0x03

        fileprivate static let layer3: UInt8 = 0x03
    }

    struct Answer: Hashable {
        let bytes: [UInt8]
        /// The number of valid bits in the last byte, which is 8 for an answer of whole bytes.
        let lastBits: UInt8
    }

    private enum Tag {
        static let start: UInt8 = 0x81
        static let end: UInt8 = 0x82
        static let standard: UInt8 = 0x8F
        static let timer: [UInt8] = [0x5F, 0x46]
        static let transceive: UInt8 = 0x95
        static let bitFraming: UInt16 = 0x92
        static let responseStatus: UInt16 = 0x96
        static let response: UInt16 = 0x97
        static let error: UInt16 = 0xC0
    }

    private enum Function: UInt8 {
        case manage = 0x00
        case exchange = 0x01
        case switchProtocol = 0x02
    }

    /// The number of bytes in the data field in addition to the frame: the timer, the tag and a two-byte length.
    static let overhead = 7 + 3

    private unowned let carrier: any APDUCarrier
    /// The standard of the open session, or nil if no session is open.
    private(set) var standard: Standard?
    /// Whether a session was ever opened.
    private(set) var wasOpen = false

    init(_ carrier: any APDUCarrier) { self.carrier = carrier }

    /// Returns the command APDU for a function, with Le.
    private static func command(_ function: Function, _ data: [UInt8]) -> [UInt8] {
        [0xFF, 0xC2, 0x00, function.rawValue, UInt8(data.count)] + data + [0x00]
    }

    /// Opens a session for a standard, unless it is already open.
    ///
    /// - Returns: false if the reader does not support transparent sessions at all, or does not support them for this
    ///   standard.
    /// - Throws: `noAnswer` if the card did not answer in time. The reader may still support the session.
    func open(_ wanted: Standard) throws(ReaderError) -> Bool {
        guard standard != wanted else { return true }
        end()
        let response = try transmit(Self.start)
        guard response.isSuccess else { return false }
        if !Self.isDone(response) {
            // A killed program may have left its session open. End that session and start a new one.
            guard Self.isDone(try transmit(Self.ending)), Self.isDone(try transmit(Self.start)) else { return false }
        }
        standard = wanted
        let chosen = ResponseObjects.object([Tag.standard], [wanted.rawValue, Standard.layer3])
        do throws(ReaderError) {
            let command = [0xFF, 0xC2, 0x00, Function.switchProtocol.rawValue, UInt8(chosen.count)] + chosen
            if Self.isDone(try transmit(command)) {
                wasOpen = true
                return true
            }
        } catch {
            end()
            throw error
        }
        end()
        return false
    }

    /// - Throws: `noAnswer` for a time-out that the driver or the reader reports.
    private func transmit(_ command: [UInt8]) throws(ReaderError) -> ReaderResponse {
        let response = try carrier.transmit(command)
        let word = response.isSuccess ? ResponseObjects(response.data).flatMap(Self.error) : response.sw
        guard let word, Self.timeouts.contains(word) else { return response }
        throw .noAnswer
    }

    /// libccid's status words for a CCID time-out and for a cancelled command.
    ///
    /// Readers themselves also return 6401.
    private static let timeouts: Set<UInt16> = [0x6400, 0x6401]

    private static func isDone(_ response: ReaderResponse) -> Bool {
        response.isSuccess && ResponseObjects(response.data).map(error) == .some(nil)
    }

    /// Sends a frame without CRC.
    ///
    /// - Parameters:
    ///   - frame: 1…245 bytes.
    ///   - microseconds: how long the card may take. Nil uses the reader's own limit.
    /// - Returns: the answer without CRC, and the number of valid bits in its last byte.
    /// - Throws: `noAnswer` for any radio error that the reader reports; `commandTooLong` before anything is sent.
    func exchange(_ frame: [UInt8], microseconds: UInt32?) throws(ReaderError) -> Answer {
        var data: [UInt8] = []
        if let microseconds {
            let bytes = (0..<4).map { UInt8(truncatingIfNeeded: microseconds >> (8 * $0)) }
            data += ResponseObjects.object(Tag.timer, bytes)
        }
        data += ResponseObjects.object([Tag.transceive], frame)
        guard data.count <= 0xFF else {
            throw .commandTooLong(length: frame.count, limit: 0xFF - Self.overhead)
        }
        let response = try carrier.transmit(Self.command(.exchange, data))
        // The outer status word is 9000 even if the radio fails.
        guard response.isSuccess, let objects = ResponseObjects(response.data), Self.error(objects) == nil,
            let bytes = objects[Tag.response], objects[Tag.responseStatus].map({ $0.first == 0 }) ?? true
        else { throw .noAnswer }
        let bits = objects[Tag.bitFraming]?.first ?? 0
        return Answer(bytes: bytes, lastBits: 1...7 ~= bits ? bits : 8)
    }

    /// Returns the status word of the data object that failed, or nil if all objects succeeded.
    ///
    /// The error object is `C0 03`, the number of the object that failed, SW1 and SW2.
    private static func error(_ objects: ResponseObjects) -> UInt16? {
        guard let status = objects[Tag.error], status.count >= 3 else { return nil }
        let sw = UInt16(status[1]) << 8 | UInt16(status[2])
        return sw == 0x9000 ? nil : sw
    }

    private static let start = manage(Tag.start)
    private static let ending = manage(Tag.end)

    private static func manage(_ tag: UInt8) -> [UInt8] {
        [0xFF, 0xC2, 0x00, Function.manage.rawValue, 0x02, tag, 0x00, 0x00]
    }

    /// Ends the session, and ignores the reader's response.
    func end() {
        guard let command = takeEnd() else { return }
        _ = try? carrier.transmit(command)
    }

    /// Marks the session as ended, and returns the command that ends it.
    ///
    /// Nil if no session is open.
    func takeEnd() -> [UInt8]? {
        guard standard != nil else { return nil }
        standard = nil
        return Self.ending
    }

    func forget() { standard = nil }
}
