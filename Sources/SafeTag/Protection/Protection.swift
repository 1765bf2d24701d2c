// What a tag asks a password or key for, whatever its chip — NXP NTAG21x and MF0ULx1 (AUTH0, ACCESS), MF0ICU2 (AUTH0, AUTH1)

import ReaderInterface
import ReaderSession
public import TagTypes

/// The protection of a tag's memory.
public struct Protection: Hashable, Sendable {
    /// What the tag asks for.
    public enum Secret: String, Sendable, Encodable {
        case password, key
    }

    /// What it asks for.
    public let secret: Secret
    /// AUTH0: the first protected block, also one beyond the memory.
    public let auth0: UInt8
    /// What of the memory it asks for.
    public let rules: ProtectionRules
    /// Whether the configuration cannot be changed any more (CFGLCK).
    public let isConfigurationLocked: Bool

    /// Whether it asks for anything.
    public var isActive: Bool { rules.first != nil }

    /// What the configuration in a tag's memory says; nil for a chip without, or with one that cannot be read.
    public init?(_ map: MemoryMap) {
        guard let auth0 = map.password?.auth0 ?? map.key?.auth0 else { return nil }
        // AUTH0 names blocks of the first 256.
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

    /// Whether a credential is of the kind the chip takes.
    public func opens(to credential: Type2Credential) -> Bool {
        switch credential {
        case .password: secret == .password
        case .key: secret == .key
        }
    }

    /// Whether a block asks for it.
    public func covers(_ block: Int) -> Bool { rules.first.map { ($0..<256).contains(block) } ?? false }
}

extension ProtectionRules {
    /// Rules that protect writing from a block on, and everything that these rules protect.
    ///
    /// A password that nothing asks for protects nothing: what is set besides it is left over from before.
    public func atLeast(first block: Int) -> ProtectionRules {
        guard let first else { return ProtectionRules(first: block, isReadingProtected: false, limit: 0) }
        return ProtectionRules(first: min(first, block), isReadingProtected: isReadingProtected, limit: limit)
    }

    /// What these rules protect less than the present ones, sentences.
    public func losses(against present: ProtectionRules) -> [String] {
        guard let start = present.first else { return [] }
        var losses: [String] = []
        if present.isReadingProtected, !isReadingProtected {
            losses.append("Reading needs the password now; afterwards anyone can read the tag.")
        }
        if let first, first > start {
            let blocks = first == start + 1 ? "Block \(start)" : "Blocks \(start) to \(first - 1)"
            losses.append("\(blocks): the password protects this now; afterwards anyone can change it.")
        }
        if present.limit > 0, limit == 0 || limit > present.limit {
            let end = limit == 0 ? "afterwards none do" : "afterwards it takes \(limit)"
            losses.append("\(present.limit) wrong passwords in a row close the tag now; \(end).")
        }
        return losses
    }

    /// What the tag asks for, a clause.
    public var clause: String {
        guard let first else { return "it asks for no password" }
        let access = isReadingProtected ? "reading and writing" : "writing"
        let end =
            switch limit {
            case 0: ""
            case 1: "; one wrong password closes it permanently"
            default: "; \(limit) wrong passwords in a row close it permanently"
            }
        return "\(access) from block \(first) on needs the password\(end)"
    }
}
