// The commands that a family of PC/SC readers has in addition to plain APDUs — Docs/Readers.md, PC/SC readers

/// The commands with which a family of PC/SC readers exchanges data with a tag.
///
/// All families transmit APDUs to Type 4 Tags, return the UID, and read and write blocks of Type 2 Tags (PC/SC part 3).
public struct ReaderDialect: Hashable, Sendable {
    /// A stable identifier, for example `acr1552u`.
    public let family: String
    /// The readable name.
    public let title: String
    /// Strings in lower case.
    ///
    /// The PC/SC name of each reader of this family contains one of them.
    let names: [String]
    /// The USB vendor and product IDs.
    public let numbers: [USBNumber]
    /// The routes to NFC-V tags, best first, or empty if there are none.
    public let nfcV: [NFCVRoute]
    /// The route for raw frames to NFC-A tags, or nil if there is none.
    public let rawNFCA: RawRoute?
    /// The route for raw frames to FeliCa cards, or nil if there is none.
    public let nfcF: RawRoute?
    /// The location of a MIFARE Classic key for authentication, or nil if the family does not support keys.
    public let classicKey: ClassicKeyPlace?
    /// The source of this information.
    public let evidence: Evidence

    /// A USB vendor ID and product ID.
    public struct USBNumber: Hashable, Sendable {
        /// The vendor ID.
        public let vendor: UInt16
        /// The product ID.
        public let product: UInt16
    }

    /// A route for requests to an NFC-V tag.
    public enum NFCVRoute: Hashable, Sendable {
        /// Whole frames, in a transparent session.
        case transparent
        /// `FF ins 00 00 Lc code parameters`.
        ///
        /// The reader adds flags and UID to the request, and removes the flags from the response.
        case passThrough(instruction: UInt8, codes: Set<UInt8>?)
        /// READ BINARY and UPDATE BINARY of whole blocks (PC/SC part 3), after the block addresses have been verified.
        case blocks
    }

    /// A route for raw frames.
    public enum RawRoute: Hashable, Sendable {
        /// A transparent session.
        case transparent
        /// `FF 00 00 00 Lc D4 42 frame`, which is InCommunicateThru of the PN532.
        ///
        /// The answer is `D5 43 status frame`.
        case direct
    }

    /// The key structure and key number of LOAD KEYS (PC/SC part 3).
    public struct ClassicKeyPlace: Hashable, Sendable {
        /// P1, the key structure: `00` volatile, `20` non-volatile.
        public let structure: UInt8
        /// P2, the key number.
        public let number: UInt8
    }

    /// The source of the information about a family.
    public enum Evidence: String, Hashable, Sendable {
        /// Working programs, or transcripts of real readers.
        case reported
        /// The manufacturer's manual, or the standard.
        case expected
    }
}

extension ReaderDialect {
    /// Returns the family of a reader, by its USB IDs if they are known, otherwise by its PC/SC name.
    public static func of(name: String, vendor: UInt16? = nil, product: UInt16? = nil) -> ReaderDialect {
        if let vendor, let product, let known = known(vendor: vendor, product: product) { return known }
        let name = name.lowercased()
        return all.first { $0.names.contains { name.contains($0) } } ?? generic
    }

    /// Returns the family with these USB IDs, or nil if none has them.
    public static func known(vendor: UInt16, product: UInt16) -> ReaderDialect? {
        all.first { $0.numbers.contains(USBNumber(vendor: vendor, product: product)) }
    }

    /// Whether the reader's family is known.
    ///
    /// A reader of a known family is certainly contactless.
    public var isKnown: Bool { family != Self.generic.family }
}
