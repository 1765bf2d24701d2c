// The connection handover records (`Hs`, `Hr`, `Hm`, `Hi`) — NFC Forum Connection Handover 1.5, section 6

/// Alternative carriers, such as Bluetooth and Wi-Fi, over which two devices can continue to communicate.
///
/// The payload consists of `version (1: major and minor in 4 bits each)` and an NDEF message. The message contains
/// records of the types `ac` (alternative carrier), `cr` (collision resolution, 2 bytes) and `err` (error). Another
/// record in the enclosing message describes each carrier; ``NDEFMessage/carrier(_:)`` finds it.
public struct HandoverRecord: Hashable, Sendable {
    /// The purpose of the record.
    public enum Role: String, CaseIterable, Hashable, Sendable {
        /// `Hs`: the carriers that a device or a tag offers.
        case select = "Hs"
        /// `Hr`: the carriers that a device requests.
        case request = "Hr"
        /// `Hm`: the request of a mediator to two other devices for their carriers.
        case mediation = "Hm"
        /// `Hi`: the start of a handover by a mediator.
        case initiate = "Hi"

        var type: [UInt8] { Array(rawValue.utf8) }

        /// Creates the role that a TYPE stands for.
        ///
        /// Returns nil for other types.
        init?(type: [UInt8]) {
            guard let role = Self.allCases.first(where: { $0.type == type }) else { return nil }
            self = role
        }
    }

    /// One carrier, stored as an `ac` record.
    public struct Carrier: Hashable, Sendable {
        /// The power state of the carrier's radio.
        public enum PowerState: UInt8, Hashable, Sendable {
            /// The radio is off.
            case inactive = 0
            /// The radio is on.
            case active = 1
            /// The radio is being turned on.
            case activating = 2
            /// The power state is not known.
            case unknown = 3
        }

        /// The power state of the carrier's radio.
        public var state: PowerState
        /// The ID of the record that describes the carrier, 0 to 255 bytes.
        public var reference: [UInt8]
        /// The IDs of records with auxiliary data, at most 255 IDs of 0 to 255 bytes.
        public var auxiliary: [[UInt8]]

        /// Creates a carrier without checking its parts.
        public init(state: PowerState = .active, reference: [UInt8], auxiliary: [[UInt8]] = []) {
            self.state = state
            self.reference = reference
            self.auxiliary = auxiliary
        }
    }

    /// The reason why a request could not be met, stored as an `err` record.
    public struct Failure: Hashable, Sendable {
        /// The reason: 1 not enough memory for now, 2 not enough memory at all, 3 carrier-specific.
        ///
        /// Other values are reserved.
        public var reason: UInt8
        /// The error data: a time in milliseconds (reasons 1 and 3), or the maximum message size in bytes (reason 2).
        public var data: [UInt8]

        /// Creates a failure without checking its parts.
        public init(reason: UInt8, data: [UInt8]) {
            self.reason = reason
            self.data = data
        }
    }

    static let carrierType = Array("ac".utf8)
    private static let collisionType = Array("cr".utf8)
    private static let errorType = Array("err".utf8)

    /// The purpose of the record.
    public var role: Role
    /// The version of the specification: major in the upper 4 bits, minor in the lower 4 bits.
    public var version: UInt8
    /// The carriers, with the preferred one first.
    public var carriers: [Carrier]
    /// The random number in a request; nil if there is none.
    ///
    /// If both devices send a request, the numbers determine which device proceeds.
    public var collisionNumber: UInt16?
    /// The reason why a request could not be met; nil if there is none.
    public var failure: Failure?
    /// Other records in the payload, unchanged.
    public var others: [NDEFRecord]

    /// Creates a handover record without checking its parts.
    ///
    /// The default version is 1.5.
    public init(
        role: Role, version: UInt8 = 0x15, carriers: [Carrier], collisionNumber: UInt16? = nil,
        failure: Failure? = nil, others: [NDEFRecord] = []
    ) {
        self.role = role
        self.version = version
        self.carriers = carriers
        self.collisionNumber = collisionNumber
        self.failure = failure
        self.others = others
    }

    /// The version as text, such as `1.5`.
    public var versionText: String { "\(version >> 4).\(version & 0x0F)" }

    /// Parses a record with TNF 1 and the type of a ``Role``.
    public init(record: NDEFRecord) throws(ContentError) {
        guard record.tnf == .wellKnown, let role = Role(type: record.type) else {
            throw ContentError("Not a handover record.")
        }
        guard let version = record.payload.first else { throw ContentError("The handover's payload is empty.") }
        self.init(role: role, version: version, carriers: [])
        let message = Array(record.payload.dropFirst())
        // If the device has no carrier, the payload ends after the version.
        guard !message.isEmpty else { return }
        for part in try Self.parts(of: message) {
            switch part.type {
            case Self.carrierType where part.tnf == .wellKnown: carriers.append(try Carrier(payload: part.payload))
            case Self.collisionType where part.tnf == .wellKnown && collisionNumber == nil:
                guard part.payload.count == 2 else {
                    throw ContentError("The handover's collision resolution is not 2 bytes.")
                }
                collisionNumber = UInt16(part.payload[0]) << 8 | UInt16(part.payload[1])
            case Self.errorType where part.tnf == .wellKnown && failure == nil:
                guard let reason = part.payload.first else { throw ContentError("The handover's error is empty.") }
                failure = Failure(reason: reason, data: Array(part.payload.dropFirst()))
            default: others.append(part)
            }
        }
    }

    /// Encodes the handover as a record.
    ///
    /// The order is collision resolution, carriers, error, other records.
    /// - Throws: ``ContentError`` if a reference is longer than 255 bytes, or if a carrier has more than 255
    ///   references.
    public func record() throws(ContentError) -> NDEFRecord {
        var parts: [NDEFRecord] = []
        if let collisionNumber {
            let number = [UInt8(collisionNumber >> 8), UInt8(collisionNumber & 0xFF)]
            parts.append(NDEFRecord(tnf: .wellKnown, type: Self.collisionType, payload: number))
        }
        for carrier in carriers {
            parts.append(NDEFRecord(tnf: .wellKnown, type: Self.carrierType, payload: try carrier.payload()))
        }
        if let failure {
            parts.append(NDEFRecord(tnf: .wellKnown, type: Self.errorType, payload: [failure.reason] + failure.data))
        }
        do {
            let message = try NDEFMessage(records: parts + others).encoded()
            return NDEFRecord(tnf: .wellKnown, type: role.type, payload: [version] + message)
        } catch {
            throw ContentError("In the handover's message: \(error)")
        }
    }

    private static func parts(of message: [UInt8]) throws(ContentError) -> [NDEFRecord] {
        do {
            return try NDEFMessage(bytes: message).records
        } catch {
            throw ContentError("In the handover's message: \(error)")
        }
    }
}

extension HandoverRecord.Carrier {
    /// Parses the payload of an `ac` record.
    ///
    /// The payload consists of `power state (1)`, the carrier reference, `number of auxiliary references (1)`, and the
    /// auxiliary references. A reference is `length (1), characters`. Further bytes are reserved.
    fileprivate init(payload: [UInt8]) throws(ContentError) {
        var rest = payload[...]
        guard let flags = rest.popFirst() else { throw ContentError("The handover's carrier is empty.") }
        self.init(
            state: PowerState(rawValue: flags & 0x03) ?? .unknown, reference: try Self.reference(&rest))
        guard let count = rest.popFirst() else {
            throw ContentError("The handover's carrier does not state the number of its auxiliary data references.")
        }
        for _ in 0..<count { auxiliary.append(try Self.reference(&rest)) }
    }

    fileprivate func payload() throws(ContentError) -> [UInt8] {
        guard auxiliary.count <= 255, ([reference] + auxiliary).allSatisfy({ $0.count <= 255 }) else {
            throw ContentError("A carrier has more than 255 references, or a reference longer than 255 bytes.")
        }
        let counted = { (bytes: [UInt8]) in [UInt8(truncatingIfNeeded: bytes.count)] + bytes }
        return [state.rawValue] + counted(reference) + [UInt8(truncatingIfNeeded: auxiliary.count)]
            + auxiliary.flatMap(counted)
    }

    private static func reference(_ rest: inout ArraySlice<UInt8>) throws(ContentError) -> [UInt8] {
        let length = rest.popFirst().map(Int.init) ?? 1
        guard length <= rest.count else {
            let shortage = NDEFError.shortage(needed: length, left: rest.count)
            throw ContentError("A reference of the handover's carrier \(shortage)")
        }
        defer { rest = rest.dropFirst(length) }
        return Array(rest.prefix(length))
    }
}

extension NDEFMessage {
    /// Returns the index of the record that describes a carrier, or nil if the message has none.
    ///
    /// The carrier's reference is the ID of this record — Connection Handover 1.5, section 6.3.
    public func carrier(_ carrier: HandoverRecord.Carrier) -> Int? {
        carrier.reference.isEmpty ? nil : records.firstIndex { $0.identifier == carrier.reference }
    }
}
