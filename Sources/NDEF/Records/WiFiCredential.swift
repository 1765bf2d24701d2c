// A Wi-Fi credential — Wi-Fi Simple Configuration 2.0.5, attribute Credential (100Eh)

/// The data that a station needs to join one Wi-Fi network.
///
/// There is no WSC attribute that marks a network as hidden, so a credential does not say whether a network broadcasts
/// its SSID.
public struct WiFiCredential: Hashable, Sendable {
    /// The authentication methods that the network permits (attribute 1003h).
    public struct AuthenticationType: OptionSet, Hashable, Sendable {
        /// The value of the attribute.
        public let rawValue: UInt16
        /// Creates a set from the value of the attribute.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// No authentication.
        public static let open = Self(rawValue: 0x0001)
        /// WPA with a pre-shared key.
        public static let wpaPersonal = Self(rawValue: 0x0002)
        /// Shared-key WEP, which is deprecated.
        public static let shared = Self(rawValue: 0x0004)
        /// WPA with 802.1X.
        public static let wpaEnterprise = Self(rawValue: 0x0008)
        /// WPA2 with 802.1X.
        public static let wpa2Enterprise = Self(rawValue: 0x0010)
        /// WPA2 with a pre-shared key.
        public static let wpa2Personal = Self(rawValue: 0x0020)
    }

    /// The ciphers that the network permits (attribute 100Fh).
    public struct EncryptionType: OptionSet, Hashable, Sendable {
        /// The value of the attribute.
        public let rawValue: UInt16
        /// Creates a set from the value of the attribute.
        public init(rawValue: UInt16) { self.rawValue = rawValue }

        /// No encryption.
        public static let none = Self(rawValue: 0x0001)
        /// WEP, which is deprecated.
        public static let wep = Self(rawValue: 0x0002)
        /// TKIP.
        public static let tkip = Self(rawValue: 0x0004)
        /// AES.
        public static let aes = Self(rawValue: 0x0008)
    }

    /// The MAC address FF:FF:FF:FF:FF:FF, which stands for any station.
    public static let broadcast = [UInt8](repeating: 0xFF, count: 6)

    /// The name of the network (SSID): at most 32 bytes in an unspecified encoding, usually UTF-8.
    public var ssid: [UInt8]
    /// The key: a passphrase of 8 to 63 ASCII characters, or 64 hexadecimal digits; nil if the attribute is absent.
    public var networkKey: [UInt8]?
    /// The authentication methods that the network permits.
    ///
    /// The set is empty if the attribute is absent.
    public var authentication: AuthenticationType
    /// The ciphers that the network permits.
    ///
    /// The set is empty if the attribute is absent.
    public var encryption: EncryptionType
    /// The MAC address of the station for which the credential is meant, 6 bytes; nil if the attribute is absent.
    public var macAddress: [UInt8]?
    /// The network index, which is deprecated and always 1; nil if the attribute is absent.
    public var networkIndex: UInt8?
    /// Other attributes, such as vendor extensions (1049h), unchanged.
    ///
    /// They are written last.
    public var others: [WSCAttribute]

    /// Creates a credential without checking its parts.
    public init(
        ssid: [UInt8], networkKey: [UInt8]?, authentication: AuthenticationType, encryption: EncryptionType,
        macAddress: [UInt8]? = WiFiCredential.broadcast, networkIndex: UInt8? = 1, others: [WSCAttribute] = []
    ) {
        self.ssid = ssid
        self.networkKey = networkKey
        self.authentication = authentication
        self.encryption = encryption
        self.macAddress = macAddress
        self.networkIndex = networkIndex
        self.others = others
    }

    /// Parses the attributes in a Credential.
    ///
    /// If an attribute occurs more than once, the first one is used.
    init(attributes: [WSCAttribute]) throws(ContentError) {
        var ssid: [UInt8]?
        var rest: [WSCAttribute] = []
        self.init(ssid: [], networkKey: nil, authentication: [], encryption: [], macAddress: nil, networkIndex: nil)
        for attribute in attributes {
            switch attribute.id {
            case WSCAttribute.ssid where ssid == nil:
                ssid = attribute.value
            case WSCAttribute.networkKey where networkKey == nil:
                networkKey = attribute.value
            case WSCAttribute.authenticationType where authentication.isEmpty:
                authentication = AuthenticationType(rawValue: try attribute.number())
            case WSCAttribute.encryptionType where encryption.isEmpty:
                encryption = EncryptionType(rawValue: try attribute.number())
            case WSCAttribute.macAddress where macAddress == nil:
                macAddress = attribute.value
            case WSCAttribute.networkIndex where networkIndex == nil && attribute.value.count == 1:
                networkIndex = attribute.value.first
            default:
                rest.append(attribute)
            }
        }
        guard let ssid else { throw ContentError("The Wi-Fi credential holds no SSID.") }
        self.ssid = ssid
        others = rest
        try check()
    }

    /// Encodes the value of the Credential attribute.
    ///
    /// Its attributes have the order that wpa_supplicant uses.
    func encoded() throws(ContentError) -> [UInt8] {
        try check()
        var list: [WSCAttribute] = []
        let add = { (id: UInt16, value: [UInt8]?) in
            if let value { list.append(WSCAttribute(id: id, value: value)) }
        }
        add(WSCAttribute.networkIndex, networkIndex.map { [$0] })
        add(WSCAttribute.ssid, ssid)
        add(WSCAttribute.authenticationType, Self.flags(authentication.rawValue))
        add(WSCAttribute.encryptionType, Self.flags(encryption.rawValue))
        add(WSCAttribute.networkKey, networkKey)
        add(WSCAttribute.macAddress, macAddress)
        return try WSCAttribute.encode(list + others)
    }

    private func check() throws(ContentError) {
        guard ssid.count <= 32 else { throw ContentError("The Wi-Fi SSID is longer than 32 bytes.") }
        guard networkKey?.count ?? 0 <= 64 else { throw ContentError("The Wi-Fi key is longer than 64 bytes.") }
        guard macAddress?.count ?? 6 == 6 else { throw ContentError("The Wi-Fi MAC address is not 6 bytes.") }
    }

    private static func flags(_ rawValue: UInt16) -> [UInt8]? {
        rawValue == 0 ? nil : [UInt8(rawValue >> 8), UInt8(rawValue & 0xFF)]
    }
}
