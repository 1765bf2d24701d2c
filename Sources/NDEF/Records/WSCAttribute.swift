// A Wi-Fi Simple Configuration attribute — Wi-Fi Simple Configuration 2.0.5

/// An attribute in a Wi-Fi Simple Configuration token: `ID (2), length (2), value`, with big-endian numbers.
public struct WSCAttribute: Hashable, Sendable {
    /// The ID of the attribute, such as 1045h for the SSID.
    public var id: UInt16
    /// The value of the attribute, at most 65535 bytes.
    public var value: [UInt8]

    /// Creates an attribute without checking the length of its value.
    public init(id: UInt16, value: [UInt8]) {
        self.id = id
        self.value = value
    }

    static let authenticationType: UInt16 = 0x1003
    static let credential: UInt16 = 0x100E
    static let encryptionType: UInt16 = 0x100F
    static let macAddress: UInt16 = 0x1020
    static let networkIndex: UInt16 = 0x1026
    static let networkKey: UInt16 = 0x1027
    static let ssid: UInt16 = 0x1045

    static func list(_ bytes: [UInt8]) throws(ContentError) -> [WSCAttribute] {
        var list: [WSCAttribute] = []
        var rest = bytes[...]
        while !rest.isEmpty {
            let header = rest.prefix(4).map(UInt16.init)
            guard header.count == 4 else { throw ContentError("A WSC attribute's header is truncated.") }
            let length = Int(header[2] << 8 | header[3])
            let value = rest.dropFirst(4).prefix(length)
            let id = header[0] << 8 | header[1]
            guard value.count == length else {
                let name = String(id, radix: 16, uppercase: true)
                throw ContentError("WSC attribute \(name)h \(NDEFError.shortage(needed: length, left: value.count))")
            }
            list.append(WSCAttribute(id: id, value: Array(value)))
            rest = rest[value.endIndex...]
        }
        return list
    }

    static func encode(_ list: [WSCAttribute]) throws(ContentError) -> [UInt8] {
        var bytes: [UInt8] = []
        for attribute in list {
            guard let length = UInt16(exactly: attribute.value.count) else {
                throw ContentError("A WSC attribute's value is longer than 65535 bytes.")
            }
            for number in [attribute.id, length] { bytes += [UInt8(number >> 8), UInt8(number & 0xFF)] }
            bytes += attribute.value
        }
        return bytes
    }

    /// Returns the value as a 16-bit number.
    ///
    /// Throws an error if the value does not have 2 bytes.
    func number() throws(ContentError) -> UInt16 {
        guard value.count == 2 else {
            throw ContentError("WSC attribute \(String(id, radix: 16, uppercase: true))h is not 2 bytes.")
        }
        return UInt16(value[0]) << 8 | UInt16(value[1])
    }
}
