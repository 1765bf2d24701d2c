// Properties of a virtual card with applications — ISO/IEC 7816-4; ISO/IEC 14443-4, ATS

/// The properties of a virtual card with applications.
///
/// No command changes them.
public struct ApplicationCardConfiguration: Hashable, Sendable {
    /// An application on the card.
    public struct Application: Hashable, Sendable {
        /// The DF name, 1 to 16 bytes.
        public let name: [UInt8]
        /// The file control information that SELECT returns if the command requests it.
        ///
        /// If it is empty, the answer contains no data.
        public var controlInformation: [UInt8]

        /// Creates an application whose file control information is its name.
        public init(name: [UInt8]) {
            self.name = name
            let object = [0x84, UInt8(truncatingIfNeeded: name.count)] + name
            controlInformation = [0x6F, UInt8(truncatingIfNeeded: object.count)] + object
        }
    }

    /// How the card delivers an answer that is longer than the command requests.
    public enum Delivery: Hashable, Sendable {
        /// In one piece.
        ///
        /// If a command requests too few or too many bytes, `6Cxx` reports the right number.
        case whole
        /// In pieces of at most this many bytes, 1 to 256.
        ///
        /// `61xx` reports how many bytes GET RESPONSE will return.
        case pieces(Int)
    }

    /// The AID of electronic passports — ICAO Doc 9303 part 10.
    public static let passport: [UInt8] = [0xA0, 0x00, 0x00, 0x02, 0x47, 0x10, 0x01]

    /// The applications on the card.
    ///
    /// SELECT by partial name tries them in this order.
    public var applications: [Application]
    /// How the card delivers long answers.
    public var delivery = Delivery.whole
    /// The maximum number of data bytes in a command, or in a chain of commands.
    public var mostCommandData = 65_535
    /// The maximum number of data bytes in an answer.
    public var mostResponseData = 65_536
    /// The historical bytes, at most 15 (type A only).
    ///
    /// The default contains the card capabilities in compact TLV form: selection by full and partial name, command
    /// chaining and extended length.
    public var historicalBytes: [UInt8] = [0x80, 0x73, 0xC0, 0x01, 0xC0]
    /// The FSCI, which is the code for the largest frame that the card accepts (type A only).
    ///
    /// 0 means 16 bytes, and 8 means 256 bytes.
    public var fsci: UInt8 = 8

    /// Creates a configuration with applications that have these names.
    public init(names: [[UInt8]] = [passport]) { applications = names.map(Application.init) }

    /// The ATS of a type A card: TL, T0, TA(1) to TC(1) and the historical bytes.
    ///
    /// TA(1) requires the same bit rate in both directions, TB(1) contains FWI 7, and TC(1) means that CIDs are
    /// supported.
    var ats: [UInt8] {
        let body = [0x70 | fsci & 0x0F, 0x80, 0x71, 0x02] + historicalBytes.prefix(15)
        return [UInt8(body.count + 1)] + body
    }
}
