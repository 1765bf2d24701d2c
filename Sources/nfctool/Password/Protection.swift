// What a tag asks a password or key for, whatever its chip — NXP NTAG21x and MF0ULx1 (AUTH0, ACCESS), MF0ICU2 (AUTH0, AUTH1)

import ReaderInterface
import ReaderSession
import TagTypes

/// The protection of a tag's memory.
struct Protection: Hashable, Sendable {
    /// What the tag asks for.
    enum Secret: String, Encodable {
        case password, key
    }

    /// What can be chosen.
    struct Rules: Hashable, Sendable {
        /// The first protected block; nil when there is none.
        let first: Int?
        let isReadingProtected: Bool
        /// Wrong tries that close the tag; 0 for no limit.
        let limit: Int

        static let none = Rules(first: nil, isReadingProtected: false, limit: 0)

        /// Rules that protect writing from a block on, and everything that these rules protect.
        ///
        /// A password that nothing asks for protects nothing: what is set besides it is left over from before.
        func atLeast(first block: Int) -> Rules {
            guard let first else { return Rules(first: block, isReadingProtected: false, limit: 0) }
            return Rules(first: min(first, block), isReadingProtected: isReadingProtected, limit: limit)
        }

        /// What these rules protect less than the present ones, sentences.
        func losses(against present: Rules) -> [String] {
            guard let start = present.first else { return [] }
            var losses: [String] = []
            if present.isReadingProtected, !isReadingProtected {
                losses.append("Reading needs the password now; afterwards anybody can read the tag.")
            }
            if let first, first > start {
                let blocks = first == start + 1 ? "Block \(start)" : "Blocks \(start) to \(first - 1)"
                losses.append("\(blocks): the password protects this now; afterwards anybody can change it.")
            }
            if present.limit > 0, limit == 0 || limit > present.limit {
                let end = limit == 0 ? "afterwards none do" : "afterwards it takes \(limit)"
                losses.append("\(present.limit) wrong passwords in a row close the tag now; \(end).")
            }
            return losses
        }

        /// What the tag asks for, a clause.
        var clause: String {
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

    let secret: Secret
    let auth0: UInt8
    let rules: Rules
    let isConfigurationLocked: Bool

    var isActive: Bool { rules.first != nil }

    /// What the configuration in a tag's memory says; nil for a chip without, or with one that cannot be read.
    init?(_ map: MemoryMap) {
        guard let auth0 = map.password?.auth0 ?? map.key?.auth0 else { return nil }
        // AUTH0 names blocks of the first 256.
        let last = map.blocks.last { $0.number < 256 }?.number ?? -1
        let first = Int(auth0) <= last ? Int(auth0) : nil
        let isReadingProtected = map.password?.protectsReading ?? map.key?.protectsReading ?? false
        self.auth0 = auth0
        secret = map.password == nil ? .key : .password
        rules = Rules(
            first: first, isReadingProtected: first != nil && isReadingProtected,
            limit: map.password?.authenticationLimit ?? 0)
        isConfigurationLocked = map.password?.isConfigurationLocked ?? false
    }

    /// Whether a credential is of the kind the chip takes.
    func opens(to credential: Type2Credential) -> Bool {
        switch credential {
        case .password: secret == .password
        case .key: secret == .key
        }
    }

    /// Whether a block asks for it.
    func covers(_ block: Int) -> Bool { rules.first.map { ($0..<256).contains(block) } ?? false }
}

extension Protection: Encodable {
    private enum Key: CodingKey {
        case kind, auth0, from, protectsReading, limit, configurationLocked
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(secret, forKey: .kind)
        try container.encode(Int(auth0), forKey: .auth0)
        try container.encode(rules.first, forKey: .from)
        try container.encode(rules.isReadingProtected, forKey: .protectsReading)
        try container.encode(rules.limit, forKey: .limit)
        try container.encode(isConfigurationLocked, forKey: .configurationLocked)
    }
}

extension TagChange {
    /// What the tag asks a password for now.
    ///
    /// - Throws: ``TagError/unsupported(reason:)`` for a chip without a password.
    func protection() async throws -> Protection {
        let map = try await tag.perform { try ProtectCommand.type2($0).memoryMap() }
        guard let protection = Protection(map) else {
            // Behind a password for reading, which was not given, lies the configuration, too.
            if let block = map.blocks.first(where: { $0.bytes == nil })?.number {
                throw TagError.passwordNeeded(block: block)
            }
            throw TagError.unsupported(reason: "its chip is not known to have a password")
        }
        return protection
    }

    /// What the next reader is told who has no password: that, and not what this session may do, is the result.
    private func stateWithoutPassword(_ rules: Protection.Rules) async throws -> NDEFState {
        var state = try await tag.perform { try ProtectCommand.type2($0).stateWithoutPassword() }
        if rules.isReadingProtected, let first = rules.first, state.status == .readOnly {
            state.reason = "reading and writing from block \(first) on needs a password"
        }
        return state
    }

    /// Looks at the tag after a power-up, as the next reader will see it.
    func proven(_ wanted: Protection.Rules, opening credential: Type2Credential?) async throws -> TagReading {
        do {
            var change = self
            change.tag.unlocking.credential = credential
            change = try await change.afterPowerUp()
            let found = try await change.protection()
            guard found.rules == wanted else {
                throw TagError.commandFailed(command: "the change of its protection", offset: nil, sw: nil)
            }
            var reading = try await session.currentReading(of: change.tag)
            reading.isVerified = true
            reading.protection = found
            session.gate.didProve(found.rules, on: change.tag.target.identifier)
            reading.state = try await change.stateWithoutPassword(found.rules)
            return reading
        } catch {
            throw ProtectionCut.error(error, afterProtecting: wanted.first != nil)
        }
    }
}
