// The password protection of a tag, for all chips — NXP NTAG21x and MF0ULx1 (AUTH0, ACCESS), MF0ICU2 (AUTH0, AUTH1)

import ReaderInterface
import ReaderSession
public import TagTypes

/// The protection of a tag's memory.
public struct Protection: Hashable, Sendable {
    /// The kind of secret that the tag requires.
    public enum Secret: String, Sendable, Encodable {
        /// A password of 4 bytes, which is sent to the tag.
        case password
        /// A key of 16 bytes, which is never sent to the tag.
        case key
    }

    /// The kind of secret that the tag requires.
    public let secret: Secret
    /// AUTH0: the first protected block, which may be beyond the memory.
    public let auth0: UInt8
    /// The operations and blocks that need the secret.
    public let rules: ProtectionRules
    /// Whether the configuration can no longer be changed (CFGLCK).
    public let isConfigurationLocked: Bool

    /// Whether anything is protected.
    public var isActive: Bool { rules.first != nil }

    /// Reads the configuration from a tag's memory, or returns nil if the chip has none or it cannot be read.
    public init?(_ map: MemoryMap) {
        guard let auth0 = map.password?.auth0 ?? map.key?.auth0 else { return nil }
        // AUTH0 can only address the first 256 blocks.
        let last = map.blocks.last { $0.number < 256 }?.number ?? -1
        let first = Int(auth0) <= last ? Int(auth0) : nil
        let isReadingProtected = map.password?.protectsReading ?? map.key?.protectsReading ?? false
        self.auth0 = auth0
        secret = map.password == nil ? .key : .password
        rules = ProtectionRules(
            first: first, isReadingProtected: first != nil && isReadingProtected,
            limit: map.password?.authenticationLimit ?? map.key?.authenticationLimit ?? 0)
        isConfigurationLocked = map.password?.isConfigurationLocked ?? map.key?.isConfigurationLocked ?? false
    }

    /// Whether a credential is of the kind that the chip requires.
    public func opens(to credential: Type2Credential) -> Bool {
        switch credential {
        case .password: secret == .password
        case .key: secret == .key
        }
    }

    /// Returns sentences about how this protection is weaker than the present one.
    func losses(against present: Protection) -> [String] {
        guard let first = present.rules.first, !isActive else { return rules.losses(against: present.rules) }
        let access = present.rules.isReadingProtected ? "reading and writing" : "writing"
        let secret = present.secret.rawValue
        return [
            "At present, the \(secret) is needed for \(access) from block \(first) onwards; "
                + "after this change, it is not."
        ]
    }

    /// Whether a block is protected.
    public func covers(_ block: Int) -> Bool { rules.first.map { ($0..<256).contains(block) } ?? false }
}

extension ProtectionRules {
    /// Returns rules that also protect against writing from a block on, in addition to everything that is already
    /// protected.
    ///
    /// If no block is protected, the other settings are remains of an earlier protection and are ignored.
    public func atLeast(first block: Int) -> ProtectionRules {
        guard let first else { return ProtectionRules(first: block, isReadingProtected: false, limit: 0) }
        return ProtectionRules(first: min(first, block), isReadingProtected: isReadingProtected, limit: limit)
    }

    /// Returns the ways in which these rules protect less than the present ones, as sentences.
    public func losses(against present: ProtectionRules) -> [String] {
        guard let start = present.first else { return [] }
        var losses: [String] = []
        if present.isReadingProtected, !isReadingProtected {
            losses.append("At present, reading needs the password; after this change, anyone can read the tag.")
        }
        if let first, first > start {
            let blocks = first == start + 1 ? "Block \(start)" : "Blocks \(start) to \(first - 1)"
            losses.append("\(blocks): at present protected by the password; after this change, anyone can write here.")
        }
        if present.limit > 0, limit == 0 || limit > present.limit {
            let end = limit == 0 ? "there is no limit" : "the limit is \(limit)"
            let tries =
                present.limit == 1 ? "one wrong password closes" : "\(present.limit) wrong passwords in a row close"
            losses.append("At present, \(tries) the tag; after this change, \(end).")
        }
        return losses
    }

    /// The protection, worded as a clause.
    public var clause: String {
        guard let first else { return "it requires no password" }
        let access = isReadingProtected ? "reading and writing" : "writing"
        let end =
            switch limit {
            case 0: ""
            case 1: "; one wrong password closes it permanently"
            default: "; \(limit) wrong passwords in a row close it permanently"
            }
        return "\(access) from block \(first) onwards \(isReadingProtected ? "need" : "needs") the password\(end)"
    }
}
