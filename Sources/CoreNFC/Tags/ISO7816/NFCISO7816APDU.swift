// A command APDU, short or extended — CoreNFC NFCISO7816APDU; ISO/IEC 7816-4, Command-Response Pairs

public import Foundation

/// A command to a card with applications.
open class NFCISO7816APDU: NSObject, NSCopying, @unchecked Sendable {  // only set by the initialisers
    /// The class byte, CLA.
    open var instructionClass: UInt8 { header[0] }
    /// The instruction byte, INS.
    open var instructionCode: UInt8 { header[1] }
    /// Parameter byte P1.
    open var p1Parameter: UInt8 { header[2] }
    /// Parameter byte P2.
    open var p2Parameter: UInt8 { header[3] }
    /// The command data field, or nil if there is none.
    open var data: Data? { body.isEmpty ? nil : body }
    /// The number of bytes expected in the answer, 1 to 65536, or -1 if none are expected.
    open var expectedResponseLength: Int { ne ?? -1 }

    private let header: [UInt8]
    private let body: Data
    private let ne: Int?
    /// Whether the parsed bytes had the extended form, even if their lengths do not require it.
    private let isExtended: Bool

    /// The maximum length of a command data field in bytes.
    static let maximumDataLength = 65_535

    /// Creates a command.
    ///
    /// Nothing is checked here: an invalid length gives code 4 or 5 when the command is sent.
    ///
    /// - Parameters:
    ///   - instructionClass: CLA.
    ///   - instructionCode: INS.
    ///   - p1Parameter: P1.
    ///   - p2Parameter: P2.
    ///   - data: the command data field, at most 65535 bytes. If it is empty, the command has no such field.
    ///   - expectedResponseLength: 1 to 65536, or -1 if no data is expected. An expected length above 256, or more than
    ///     255 bytes of data, makes an APDU of extended length. 0 means the same as an Le byte of zero: as many bytes
    ///     as are available.
    public init(
        instructionClass: UInt8, instructionCode: UInt8, p1Parameter: UInt8, p2Parameter: UInt8, data: Data,
        expectedResponseLength: Int
    ) {
        header = [instructionClass, instructionCode, p1Parameter, p2Parameter]
        body = Data(data)
        ne = expectedResponseLength == -1 ? nil : expectedResponseLength
        isExtended = false
    }

    /// Parses a whole command APDU, `CLA INS P1 P2 [Lc data] [Le]`.
    ///
    /// Returns nil if its lengths contradict each other.
    public init?(data: Data) {
        let bytes = [UInt8](data)
        guard bytes.count >= 4, let fields = Self.fields(bytes[4...]) else { return nil }
        header = Array(bytes.prefix(4))
        (body, ne, isExtended) = (Data(fields.data), fields.ne, fields.isExtended)
    }

    private init(copy apdu: NFCISO7816APDU) {
        (header, body, ne, isExtended) = (apdu.header, apdu.body, apdu.ne, apdu.isExtended)
    }

    /// Copies the command, which is immutable.
    open func copy(with zone: NSZone? = nil) -> Any { NFCISO7816APDU(copy: self) }
}

extension NFCISO7816APDU {
    /// Returns the fields after the header, in one of the seven cases of ISO/IEC 7816-3.
    ///
    /// Nil if the bytes match none of the cases.
    private static func fields(_ rest: ArraySlice<UInt8>) -> (data: ArraySlice<UInt8>, ne: Int?, isExtended: Bool)? {
        let bytes = Array(rest)
        switch bytes.count {
        case 0: return ([], nil, false)
        case 1: return ([], bytes[0] == 0 ? 256 : Int(bytes[0]), false)
        default: break
        }
        if bytes[0] != 0 {
            let end = 1 + Int(bytes[0])
            switch bytes.count - end {
            case 0: return (bytes[1..<end], nil, false)
            case 1: return (bytes[1..<end], bytes[end] == 0 ? 256 : Int(bytes[end]), false)
            default: return nil
            }
        }
        guard bytes.count >= 3 else { return nil }
        let length = Int(bytes[1]) << 8 | Int(bytes[2])
        if bytes.count == 3 { return ([], length == 0 ? 65_536 : length, true) }
        let end = 3 + length
        guard length > 0 else { return nil }
        switch bytes.count - end {
        case 0: return (bytes[3..<end], nil, true)
        case 2:
            let ne = Int(bytes[end]) << 8 | Int(bytes[end + 1])
            return (bytes[3..<end], ne == 0 ? 65_536 : ne, true)
        default: return nil
        }
    }

    /// Returns the checked command.
    ///
    /// - Throws: ``NFCReaderError`` with code 4 for more than 65535 bytes of data, or code 5 for an expected length out
    ///   of range.
    func command() throws(NFCReaderError) -> CommandFields {
        guard body.count <= Self.maximumDataLength else { throw NFCReaderError(.readerErrorInvalidParameterLength) }
        guard ne.map({ 0...65_536 ~= $0 }) ?? true else { throw NFCReaderError(.readerErrorParameterOutOfBound) }
        // Apple's range starts at 1, but some apps pass 0, which in an Le byte stands for the maximum length (ISO/IEC
        // 7816-3).
        let most = body.count > 255 ? 65_536 : 256
        return CommandFields(header: header, data: [UInt8](body), ne: ne == 0 ? most : ne, isExtended: isExtended)
    }

    /// A command that has been checked.
    struct CommandFields: Hashable, Sendable {
        let header: [UInt8]
        let data: [UInt8]
        let ne: Int?
        let isExtended: Bool
    }
}
