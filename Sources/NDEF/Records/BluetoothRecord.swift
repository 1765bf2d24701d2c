// Bluetooth out-of-band data (`application/vnd.bluetooth.ep.oob`, `….le.oob`) — NFC Forum and Bluetooth SIG, Bluetooth
// Secure Simple Pairing Using NFC 1.3; Bluetooth Core Specification 5, volume 3, part C, section 8; Supplement to the
// Bluetooth Core Specification, part A

/// The data with which another device can find and pair a Bluetooth device.
///
/// TNF 2. The payload of `application/vnd.bluetooth.ep.oob` consists of `total length (2), address (6)`, both
/// little-endian, and data structures. The payload of `application/vnd.bluetooth.le.oob` consists only of data
/// structures. A structure is `length (1), type (1), data`.
public struct BluetoothRecord: Hashable, Sendable {
    /// The type of radio.
    public enum Transport: Hashable, Sendable {
        /// BR/EDR, as used by headsets and speakers.
        case classic
        /// Low Energy.
        case lowEnergy

        var type: [UInt8] {
            switch self {
            case .classic: Array("application/vnd.bluetooth.ep.oob".utf8)
            case .lowEnergy: Array("application/vnd.bluetooth.le.oob".utf8)
            }
        }

        /// Creates the transport that a record's type stands for.
        ///
        /// Returns nil for other types.
        package init?(of record: NDEFRecord) {
            guard let transport = [Self.classic, .lowEnergy].first(where: { record.isType($0.type) }) else {
                return nil
            }
            self = transport
        }
    }

    /// A data structure, as in extended inquiry responses and advertisements.
    public struct Structure: Hashable, Sendable {
        /// The type of the structure — Bluetooth Assigned Numbers, Generic Access Profile.
        public var type: UInt8
        /// The data of the structure, at most 254 bytes.
        public var data: [UInt8]

        /// Creates a structure without checking its length.
        public init(type: UInt8, data: [UInt8]) {
            self.type = type
            self.data = data
        }

        /// The type of the structure Shortened Local Name.
        static let shortName: UInt8 = 0x08
        /// The type of the structure Complete Local Name.
        static let name: UInt8 = 0x09
        /// The type of the structure Class of Device (3 bytes, little-endian).
        static let deviceClass: UInt8 = 0x0D
        /// The type of the structure LE Bluetooth Device Address.
        ///
        /// The structure contains the address (6 bytes, little-endian) and a byte that is 1 for a random address.
        static let address: UInt8 = 0x1B
    }

    private static let headLength = 8
    private static let addressLength = 6

    /// The type of radio.
    public var transport: Transport
    /// The BR/EDR address, 6 bytes, most significant byte first.
    ///
    /// For Low Energy, it is empty, because a structure contains the address.
    public var classicAddress: [UInt8]
    /// The data structures, in order.
    public var structures: [Structure]

    /// Creates a record without checking its parts.
    public init(transport: Transport, classicAddress: [UInt8] = [], structures: [Structure]) {
        self.transport = transport
        self.classicAddress = classicAddress
        self.structures = structures
    }

    /// Creates a record for a BR/EDR device.
    ///
    /// - Parameters:
    ///   - address: the address, 6 bytes, most significant byte first.
    ///   - name: the name of the device, at most 254 bytes of UTF-8; nil for none.
    public init(address: [UInt8], name: String? = nil) {
        self.init(
            transport: .classic, classicAddress: address,
            structures: name.map { [Structure(type: Structure.name, data: Array($0.utf8))] } ?? [])
    }

    /// The address of the device, 6 bytes, most significant byte first; nil if the record has none.
    public var address: [UInt8]? {
        if transport == .classic { return classicAddress }
        let data = structures.first { $0.type == Structure.address && $0.data.count > Self.addressLength }?.data
        return data.map { $0.prefix(Self.addressLength).reversed() }
    }

    /// Whether the address of a Low Energy device is a random address instead of its public address.
    public var isAddressRandom: Bool {
        let data = structures.first { $0.type == Structure.address && $0.data.count > Self.addressLength }?.data
        return transport == .lowEnergy && (data?[Self.addressLength] ?? 0) & 1 == 1
    }

    /// The complete or shortened name of the device; nil if the record has no name in valid UTF-8.
    public var name: String? {
        let found =
            structures.first { $0.type == Structure.name } ?? structures.first { $0.type == Structure.shortName }
        return found.flatMap { String(validating: $0.data, as: UTF8.self) }
    }

    /// The class of device, 24 bits, such as 240404h for a headset; nil if the record has none.
    public var deviceClass: UInt32? {
        let data = structures.first { $0.type == Structure.deviceClass && $0.data.count == 3 }?.data
        return data.map { $0.reversed().reduce(0) { $0 << 8 | UInt32($1) } }
    }

    /// Parses a record with TNF 2 and one of the two types.
    public init(record: NDEFRecord) throws(ContentError) {
        guard record.tnf == .media, let transport = Transport(of: record) else {
            throw ContentError("Not a Bluetooth record.")
        }
        self.init(transport: transport, structures: [])
        var data = record.payload[...]
        if transport == .classic {
            guard data.count >= Self.headLength else {
                let shortage = NDEFError.shortage(needed: Self.headLength, left: data.count)
                throw ContentError("The Bluetooth record \(shortage)")
            }
            let length = Int(data[0]) | Int(data[1]) << 8
            guard (Self.headLength...data.count).contains(length) else {
                throw ContentError("The Bluetooth record's length is \(length); expected 8 to \(data.count) bytes.")
            }
            classicAddress = data[2..<Self.headLength].reversed()
            data = data[Self.headLength..<length]
        }
        // A length of 0 ends the structures. The bytes after it are padding.
        while let length = data.popFirst(), length > 0 {
            guard Int(length) <= data.count, let type = data.popFirst() else {
                let shortage = NDEFError.shortage(needed: Int(length), left: data.count)
                throw ContentError("A Bluetooth data structure \(shortage)")
            }
            structures.append(Structure(type: type, data: Array(data.prefix(Int(length) - 1))))
            data = data.dropFirst(Int(length) - 1)
        }
    }

    /// Encodes the device as a record.
    /// - Throws: ``ContentError`` if the address is not 6 bytes, or if a structure or the whole record is too long.
    public func record() throws(ContentError) -> NDEFRecord {
        var data: [UInt8] = []
        for structure in structures {
            guard structure.data.count < 255 else {
                throw ContentError("A Bluetooth data structure is longer than 254 bytes.")
            }
            data += [UInt8(truncatingIfNeeded: structure.data.count + 1), structure.type] + structure.data
        }
        guard transport == .classic else { return NDEFRecord(tnf: .media, type: transport.type, payload: data) }
        guard classicAddress.count == Self.addressLength else {
            throw ContentError("The Bluetooth address is not 6 bytes.")
        }
        guard let length = UInt16(exactly: Self.headLength + data.count) else {
            throw ContentError("The Bluetooth record is longer than 65535 bytes.")
        }
        let head = [UInt8(length & 0xFF), UInt8(length >> 8)] + classicAddress.reversed()
        return NDEFRecord(tnf: .media, type: transport.type, payload: head + data)
    }
}
