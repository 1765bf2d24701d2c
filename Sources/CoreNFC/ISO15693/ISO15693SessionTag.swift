// A vicinity tag in the field — CoreNFC NFCISO15693Tag; ISO/IEC 15693-3
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import Foundation
import Hexadecimal
import ReaderInterface
import ReaderSession
import TagTypes

// Unchecked: the state is only used on the reader's queue.
/// An ISO/IEC 15693 tag.
final class ISO15693SessionTag: SessionTag, NFCISO15693Tag, NativeSessionTag, @unchecked Sendable {
    /// The UID: 8 bytes, starting with E0.
    let uid: [UInt8]
    /// The number of bytes in a block, or nil until an answer has shown it.
    var blockSize: Int?

    /// Returns nil for a target of another technology, or for a UID of the wrong length.
    init?(vicinity tag: DetectedTag, in session: NFCReaderSession) {
        guard case .nfcV(let activation) = tag.target, activation.uid.count == 8 else { return nil }
        uid = activation.uid
        super.init(tag, in: session)
    }

    required init?(coder: NSCoder) { nil }

    var kind: NFCTag { .iso15693(self) }

    var identifier: Data { Data(uid) }
    var icManufacturerCode: Int { Int(uid[1]) }
    var icSerialNumber: Data { Data(uid[2...]) }

    func stayQuiet(completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        carryOut(completionHandler) { try $0.sendWithoutAnswer(Self.request(0x02, .highDataRate)) }
    }

    func select(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        carryOut(completionHandler) { try $0.send(Self.request(0x25, flags)) }
    }

    func resetToReady(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        carryOut(completionHandler) { try $0.send(Self.request(0x26, flags)) }
    }

    func customCommand(
        requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int, customRequestParameters: Data,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        let parameters = [UInt8](customRequestParameters)
        carryOut(completionHandler, or: Data()) { requests in
            var request = try Self.request(UInt8(customCommandCode, in: 0xA0...0xDF), flags, parameters)
            request.manufacturer = requests.uid[1]
            return Data(try requests.send(request).data)
        }
    }

    func __sendRequest(
        withFlag flags: Int, commandCode: Int, data: Data?,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data?, (any Error)?) -> Void
    ) {
        let rest = [UInt8](data ?? Data())
        perform {
            let response = try $0.exchange(
                frame: [UInt8(flags, in: 0x00...0xFF), UInt8(commandCode, in: 0x00...0xFF)] + rest)
            return (NFCISO15693ResponseFlag(rawValue: response.flags), Data(response.data))
        } completion: { result in
            switch result {
            case .success(let (flags, data)): completionHandler(flags, data, nil)
            case .failure(let error): completionHandler([], nil, error)
            }
        }
    }
}

extension ISO15693SessionTag {
    /// Creates a request with an app's flags, and sets the address flag unless the select flag is set.
    ///
    /// - Throws: code 3 for the inventory flag, which changes the format of the request.
    static func request(
        _ code: UInt8, _ flags: NFCISO15693RequestFlag, _ parameters: [UInt8] = []
    ) throws(NFCReaderError) -> ISO15693Request {
        let flags = ISO15693Command.Flags(rawValue: flags.rawValue)
        guard !flags.contains(.inventory) else { throw NFCReaderError(.readerErrorInvalidParameter) }
        let isSelected = flags.contains(.select)
        return ISO15693Request(
            code, flags: isSelected ? flags.subtracting(.address) : flags.union(.address), parameters: parameters)
    }

    static func unexpectedLength(_ answer: [UInt8], _ command: UInt8) -> NFCReaderError {
        let violation = TagError.protocolViolation(
            field: "the answer to command \(String(command, radix: 16, uppercase: true))",
            found: "\(ByteCount(answer.count))", expected: "another length", offset: nil)
        return NFCReaderError(
            .readerTransceiveErrorTagResponseError,
            userInfo: [NSUnderlyingErrorKey: violation, NFCTagResponseUnexpectedLengthErrorKey: answer.count])
    }

    /// Runs requests to this tag on the reader's queue, in order.
    func perform<Value: Sendable>(
        _ command: @escaping @Sendable (ISO15693Requests) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        performOnChannel { [uid] channel in
            try command(ISO15693Requests(over: channel, uid: uid))
        } completion: {
            completion($0)
        }
    }

    func carryOut<Value: Sendable>(
        _ completionHandler: @escaping @Sendable (Value, (any Error)?) -> Void, or nothing: Value,
        _ command: @escaping @Sendable (ISO15693Requests) throws -> Value
    ) {
        perform(command) { result in
            switch result {
            case .success(let value): completionHandler(value, nil)
            case .failure(let error): completionHandler(nothing, error)
            }
        }
    }

    func carryOut<Ignored>(
        _ completionHandler: @escaping @Sendable ((any Error)?) -> Void,
        _ command: @escaping @Sendable (ISO15693Requests) throws -> Ignored
    ) {
        perform {
            _ = try command($0)
        } completion: {
            completionHandler($0.failure)
        }
    }
}

extension UInt8 {
    /// Creates a parameter that must be in a range.
    ///
    /// - Throws: code 5 if the value is out of range.
    init(_ parameter: Int, in range: ClosedRange<UInt8>) throws(NFCReaderError) {
        guard let byte = UInt8(exactly: parameter), range ~= byte else {
            throw NFCReaderError(.readerErrorParameterOutOfBound)
        }
        self = byte
    }
}
