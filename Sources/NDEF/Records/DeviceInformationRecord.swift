// The Device Information record (`Di`) — NFC Forum Device Information Record Type Definition 1.0

/// The vendor, model and name of a device.
///
/// Payload: elements of the form `type (1), length (1), value`.
public struct DeviceInformationRecord: Hashable, Sendable {
    static let type = Array("Di".utf8)

    /// An element of the device information.
    public struct Element: Hashable, Sendable {
        /// The type: 0 vendor, 1 model, 2 name, 3 UUID (16 bytes), 4 firmware version.
        ///
        /// Other values are reserved or vendor-specific.
        public var type: UInt8
        /// The value, at most 255 bytes.
        ///
        /// It is UTF-8, except for type 3.
        public var value: [UInt8]

        /// Creates an element without checking its length.
        public init(type: UInt8, value: [UInt8]) {
            self.type = type
            self.value = value
        }
    }

    /// The elements, in order.
    public var elements: [Element]

    /// Creates a record without checking its elements.
    public init(elements: [Element]) { self.elements = elements }

    /// The name of the manufacturer; nil if the record has none in valid UTF-8.
    public var vendor: String? { text(0) }
    /// The name of the model; nil if the record has none in valid UTF-8.
    public var model: String? { text(1) }
    /// The name of the individual device; nil if the record has none in valid UTF-8.
    public var name: String? { text(2) }
    /// The UUID of the device, 16 bytes; nil if the record has none.
    public var uuid: [UInt8]? { elements.first { $0.type == 3 && $0.value.count == 16 }?.value }
    /// The version of the firmware; nil if the record has none in valid UTF-8.
    public var firmware: String? { text(4) }

    private func text(_ type: UInt8) -> String? {
        elements.first { $0.type == type }.flatMap { String(validating: $0.value, as: UTF8.self) }
    }

    /// Parses a record with TNF 1 and type `Di`.
    public init(record: NDEFRecord) throws(ContentError) {
        guard record.tnf == .wellKnown, record.type == Self.type else {
            throw ContentError("Not a Device Information record.")
        }
        self.init(elements: [])
        var rest = record.payload[...]
        while let type = rest.popFirst() {
            guard let length = rest.popFirst().map(Int.init) else {
                throw ContentError("An element of the device information has no length.")
            }
            guard length <= rest.count else {
                let shortage = NDEFError.shortage(needed: length, left: rest.count)
                throw ContentError("An element of the device information \(shortage)")
            }
            elements.append(Element(type: type, value: Array(rest.prefix(length))))
            rest = rest.dropFirst(length)
        }
    }

    /// Encodes the information as a record.
    /// - Throws: ``ContentError`` if a value is longer than 255 bytes.
    public func record() throws(ContentError) -> NDEFRecord {
        var payload: [UInt8] = []
        for element in elements {
            guard let length = UInt8(exactly: element.value.count) else {
                throw ContentError("An element of the device information is longer than 255 bytes.")
            }
            payload += [element.type, length] + element.value
        }
        return NDEFRecord(tnf: .wellKnown, type: Self.type, payload: payload)
    }
}
