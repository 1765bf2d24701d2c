// The driver's information about a reader — PC/SC part 3 (attributes); PC/SC part 10 (properties)

import Clibpcsclite

/// What the driver reports about a reader.
///
/// Each value is nil if the driver does not report it.
struct ReaderProperties: Hashable {
    var vendor: UInt16?
    var product: UInt16?
    /// The bus and device number on USB.
    var usb: ReaderName?
    /// The longest command APDU, in bytes.
    var longestAPDU: Int?

    init() {}

    /// Queries the driver, without an exchange with the reader.
    init(_ card: CardConnection) {
        let features = card.control(Self.featureRequest) ?? []
        if let code = Self.code(of: Self.tlvProperties, among: features), let values = card.control(code) {
            let properties = Self.properties(values)
            vendor = properties[Self.vendorTag].map { UInt16(truncatingIfNeeded: $0) }
            product = properties[Self.productTag].map { UInt16(truncatingIfNeeded: $0) }
            longestAPDU = properties[Self.apduTag].map { Int($0) }
        }
        if longestAPDU == nil, let size = card.attribute(Self.maxInput) { longestAPDU = Self.number(size) }
        if let channel = card.attribute(Self.channelID).flatMap(Self.number), channel >> 16 == Self.usbChannel {
            usb = .usb(bus: UInt8(channel >> 8 & 0xFF), device: UInt8(channel & 0xFF))
        }
    }

    /// CM_IOCTL_GET_FEATURE_REQUEST, SCARD_CTL_CODE(3400).
    private static let featureRequest: UInt32 = 0x4200_0000 + 3400
    /// FEATURE_GET_TLV_PROPERTIES.
    private static let tlvProperties: UInt8 = 0x12
    /// PCSCv2_PART10_PROPERTY_dwMaxAPDUDataSize, …_wIdVendor, …_wIdProduct.
    private static let apduTag: UInt8 = 0x0A
    private static let vendorTag: UInt8 = 0x0B
    private static let productTag: UInt8 = 0x0C
    /// SCARD_ATTR_MAXINPUT and SCARD_ATTR_CHANNEL_ID, whose macros Swift cannot import.
    private static let maxInput: UInt32 = 0x7A007
    private static let channelID: UInt32 = 0x20110
    /// The type of a USB channel: `0020 bus address`.
    private static let usbChannel = 0x20

    /// Decodes a little-endian number of up to four bytes.
    private static func number(_ bytes: [UInt8]) -> Int? {
        guard 1...4 ~= bytes.count else { return nil }
        return bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }

    /// Finds the control code of a feature in a list of entries: `tag 04` and a number, high byte first.
    static func code(of feature: UInt8, among features: [UInt8]) -> UInt32? {
        var rest = features[...]
        while rest.count >= 6 {
            let entry = Array(rest.prefix(6))
            guard entry[1] == 4 else { return nil }
            if entry[0] == feature { return entry[2...].reduce(0) { $0 << 8 | UInt32($1) } }
            rest = rest.dropFirst(6)
        }
        return nil
    }

    /// Decodes properties, each of which is a tag, a length and a number, low byte first.
    static func properties(_ bytes: [UInt8]) -> [UInt8: UInt32] {
        var properties: [UInt8: UInt32] = [:]
        var rest = bytes[...]
        while let tag = rest.popFirst(), let length = rest.popFirst(), length <= rest.count {
            if length <= 4 { properties[tag] = rest.prefix(Int(length)).reversed().reduce(0) { $0 << 8 | UInt32($1) } }
            rest = rest.dropFirst(Int(length))
        }
        return properties
    }

    /// The longest APDUs that the reader supports.
    ///
    /// dwMaxAPDUDataSize is 0 for readers with short APDUs and 65536 for readers with extended APDUs. If the driver
    /// does not report it, MAXINPUT, the maximum length of a message, is used.
    var limit: APDULimit {
        switch longestAPDU {
        case nil, 0: .short
        case let length? where length >= 0x1_0000: .extended
        case let length?: APDULimit(command: min(max(length, 5), 261), response: 258)
        }
    }
}
