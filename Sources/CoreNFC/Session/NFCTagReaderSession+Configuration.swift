// The tags that a session looks for — CoreNFC NFCTagReaderSession.PollingOption, Configuration

extension NFCTagReaderSession {
    /// The kinds of tags to look for.
    public struct PollingOption: OptionSet, Hashable, Sendable {
        /// The bits.
        public let rawValue: Int

        /// Creates options from bits.
        public init(rawValue: Int) { self.rawValue = rawValue }

        /// ISO/IEC 14443 types A and B: MIFARE, and cards with applications.
        public static let iso14443 = PollingOption(rawValue: 0x1)
        /// ISO/IEC 15693: vicinity tags, NFC Forum Type 5.
        ///
        /// A PN53x does not support them.
        public static let iso15693 = PollingOption(rawValue: 0x2)
        /// ISO/IEC 18092 and JIS X 6319-4: FeliCa.
        public static let iso18092 = PollingOption(rawValue: 0x4)
        /// Identity cards with PACE, and no other tags.
        ///
        /// They are ISO/IEC 14443 cards on which the session selects no application. The app itself performs PACE.
        public static let pace = PollingOption(rawValue: 0x8)
    }

    /// The tags that a session looks for.
    public struct Configuration: Sendable {
        /// The kinds of tags.
        public var pollingOption: PollingOption
        /// The identifiers of the applications to select on cards, in hex.
        ///
        /// If empty, ``NFCTagReaderSession/iso7816SelectIdentifiers`` are used.
        public var iso7816SelectIdentifiers: [String]
        /// The codes of the FeliCa systems to select, in hex.
        ///
        /// If empty, ``NFCTagReaderSession/feliCaSystemCodes`` are used.
        public var feliCaSystemCodes: [String]

        /// Creates a configuration.
        public init(
            pollingOption: PollingOption, iso7816SelectIdentifiers: [String] = [], feliCaSystemCodes: [String] = []
        ) {
            self.pollingOption = pollingOption
            self.iso7816SelectIdentifiers = iso7816SelectIdentifiers
            self.feliCaSystemCodes = feliCaSystemCodes
        }
    }
}
