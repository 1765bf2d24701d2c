// What a card of applications says and grants — ISO/IEC 7816-4; ISO/IEC 14443-4, ATS

/// The properties of a virtual card of applications that no command changes.
public struct ApplicationCardConfiguration: Hashable, Sendable {
    /// An application of the card.
    public struct Application: Hashable, Sendable {
        /// The DF name: 1 to 16 bytes.
        public let name: [UInt8]
        /// What SELECT answers when it is asked for file control information; nothing when empty.
        public var controlInformation: [UInt8]

        /// An application whose file control information is its name.
        public init(name: [UInt8]) {
            self.name = name
            let object = [0x84, UInt8(truncatingIfNeeded: name.count)] + name
            controlInformation = [0x6F, UInt8(truncatingIfNeeded: object.count)] + object
        }
    }

    /// How an answer comes that is longer than the command wants.
    public enum Delivery: Hashable, Sendable {
        /// In one piece: with `6Cxx` a command that wants too few or too many bytes is told how many there are.
        case whole
        /// In pieces of 1 to 256 bytes: `61xx` tells how many GET RESPONSE will bring.
        case pieces(Int)
    }

    /// AID of electronic passports — ICAO Doc 9303 part 10.
    public static let passport: [UInt8] = [0xA0, 0x00, 0x00, 0x02, 0x47, 0x10, 0x01]

    /// The applications, in the order in which partial names find them.
    public var applications: [Application]
    /// How answers are handed out.
    public var delivery = Delivery.whole
    /// Most data bytes of a command, also of a chained one.
    public var mostCommandData = 65_535
    /// Most data bytes of an answer.
    public var mostResponseData = 65_536
    /// Historical bytes, at most 15; of type A only.
    ///
    /// By default card capabilities as compact TLV: full and partial names, command chaining, extended length.
    public var historicalBytes: [UInt8] = [0x80, 0x73, 0xC0, 0x01, 0xC0]
    /// The largest frame of the card: 0 is 16 bytes, 8 is 256; of type A only.
    public var fsci: UInt8 = 8

    /// A card with these applications.
    public init(names: [[UInt8]] = [passport]) { applications = names.map(Application.init) }

    /// TL, T0, TA(1) same rates only, TB(1) FWI 7, TC(1) CID, historical bytes.
    var ats: [UInt8] {
        let body = [0x70 | fsci & 0x0F, 0x80, 0x71, 0x02] + historicalBytes.prefix(15)
        return [UInt8(body.count + 1)] + body
    }
}
