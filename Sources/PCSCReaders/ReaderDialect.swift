// What a family of PC/SC readers understands beyond plain APDUs — Docs/Readers.md, PC/SC readers

/// The commands by which a family of PC/SC readers hands over what a tag is to be sent.
///
/// All families carry APDUs to Type 4 Tags, give the UID, and read and write blocks of Type 2 Tags (PC/SC part 3).
public struct ReaderDialect: Hashable, Sendable {
    /// A stable name: `acr1552u`.
    public let family: String
    /// What people call it.
    public let title: String
    /// What a reader's PC/SC name contains, in small letters.
    let names: [String]
    /// USB vendor and product numbers.
    public let numbers: [USBNumber]
    /// The ways to NFC-V tags, the best first.
    public let nfcV: [NFCVRoute]
    /// How frames reach NFC-A tags as they are.
    public let rawNFCA: RawRoute?
    /// How frames reach FeliCa cards.
    public let nfcF: RawRoute?
    /// Where a MIFARE Classic key is put before authentication.
    public let classicKey: ClassicKeyPlace?
    /// How far this is known.
    public let evidence: Evidence

    /// A USB vendor and product number.
    public struct USBNumber: Hashable, Sendable {
        /// The vendor.
        public let vendor: UInt16
        /// The product.
        public let product: UInt16
    }

    /// A way to send a request to an NFC-V tag.
    public enum NFCVRoute: Hashable, Sendable {
        /// Whole frames, in a transparent session.
        case transparent
        /// `FF ins 00 00 Lc code parameters`: the reader adds flags and UID, and takes the response flags off.
        case passThrough(instruction: UInt8, codes: Set<UInt8>?)
        /// READ BINARY and UPDATE BINARY by blocks (PC/SC part 3), once it is shown that they are blocks.
        case blocks
    }

    /// A way to send frames as they are.
    public enum RawRoute: Hashable, Sendable {
        /// A transparent session.
        case transparent
        /// `FF 00 00 00 Lc D4 42 frame`: InCommunicateThru of the PN532, answered `D5 43 status`.
        case direct
    }

    /// The key structure and number of LOAD KEYS (PC/SC part 3).
    public struct ClassicKeyPlace: Hashable, Sendable {
        /// P1: `00` volatile, `20` non-volatile.
        public let structure: UInt8
        /// P2.
        public let number: UInt8
    }

    /// How far it is known what a family understands.
    public enum Evidence: String, Hashable, Sendable {
        /// Working programs, or transcripts of real readers.
        case reported
        /// The manufacturer's manual, or the standard.
        case expected
    }
}

extension ReaderDialect {
    /// The family of a reader, by its USB numbers where they are known, else by its PC/SC name.
    public static func of(name: String, vendor: UInt16? = nil, product: UInt16? = nil) -> ReaderDialect {
        if let vendor, let product, let known = known(vendor: vendor, product: product) { return known }
        let name = name.lowercased()
        return all.first { $0.names.contains { name.contains($0) } } ?? generic
    }

    /// The family with these USB numbers.
    public static func known(vendor: UInt16, product: UInt16) -> ReaderDialect? {
        all.first { $0.numbers.contains(USBNumber(vendor: vendor, product: product)) }
    }

    /// Whether a reader is of a family that is known, and so certainly contactless.
    public var isKnown: Bool { family != Self.generic.family }
}
