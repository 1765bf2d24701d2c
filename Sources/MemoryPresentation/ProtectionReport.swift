// The password protection of a tag in JSON — Docs/JSON.md, info

public import SafeTag
import TagTypes

extension Protection: Encodable {
    private enum Key: CodingKey {
        case kind, auth0, from, protectsReading, limit, configurationLocked
    }

    /// Encodes the protection with the names from Docs/JSON.md.
    public func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(secret, forKey: .kind)
        try container.encode(Int(auth0), forKey: .auth0)
        try container.encode(rules.first, forKey: .from)
        try container.encode(rules.isReadingProtected, forKey: .protectsReading)
        try container.encode(rules.limit, forKey: .limit)
        try container.encode(isConfigurationLocked, forKey: .configurationLocked)
    }
}
