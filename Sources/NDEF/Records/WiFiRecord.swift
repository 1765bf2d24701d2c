// The Wi-Fi Simple Configuration token (`application/vnd.wfa.wsc`) — Wi-Fi Simple Configuration 2.0.5

/// Wi-Fi networks and their keys.
///
/// TNF 2, TYPE `application/vnd.wfa.wsc`. The payload consists of WSC attributes, including one Credential (100Eh) for
/// each network.
public struct WiFiRecord: Hashable, Sendable {
    package static let type = Array("application/vnd.wfa.wsc".utf8)

    /// The networks.
    ///
    /// A token that contains only a device password has no networks.
    public var networks: [WiFiCredential]
    /// The attributes that are not credentials, unchanged.
    ///
    /// They are written after the credentials.
    public var others: [WSCAttribute]

    /// Creates a token with these networks and other attributes, without checking them.
    public init(networks: [WiFiCredential], others: [WSCAttribute] = []) {
        self.networks = networks
        self.others = others
    }

    /// Parses a record with TNF 2 and type `application/vnd.wfa.wsc`.
    public init(record: NDEFRecord) throws(ContentError) {
        guard record.tnf == .media, record.isType(Self.type) else { throw ContentError("Not a Wi-Fi record.") }
        self.init(networks: [])
        for attribute in try WSCAttribute.list(record.payload) {
            if attribute.id == WSCAttribute.credential {
                networks.append(try WiFiCredential(attributes: WSCAttribute.list(attribute.value)))
            } else {
                others.append(attribute)
            }
        }
    }

    /// Encodes the token as a record.
    /// - Throws: ``ContentError`` if an SSID, key or attribute has a length that WSC does not allow.
    public func record() throws(ContentError) -> NDEFRecord {
        var attributes: [WSCAttribute] = []
        for network in networks {
            attributes.append(WSCAttribute(id: WSCAttribute.credential, value: try network.encoded()))
        }
        return NDEFRecord(tnf: .media, type: Self.type, payload: try WSCAttribute.encode(attributes + others))
    }
}
