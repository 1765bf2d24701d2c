// A tag's password protection now and after a change — NXP NTAG21x and MF0ULx1 (AUTH0, ACCESS), MF0ICU2 (AUTH0, AUTH1)

import ReaderInterface
import ReaderSession
import TagTypes

extension TagChange {
    /// Returns the current password protection of the tag.
    ///
    /// - Throws: ``TagError/unsupported(reason:)`` for a chip without a password.
    package func protection() async throws -> Protection { try await protectionAndMemory().protection }

    private func protectionAndMemory() async throws -> (protection: Protection, memory: MemoryMap) {
        let map = try await tag.perform { try Type2Tag.withPassword($0).memoryMap() }
        guard let protection = Protection(map) else {
            // If reading needs a password, the configuration cannot be read without it either.
            if let block = map.blocks.first(where: { $0.bytes == nil })?.number {
                throw TagError.passwordNeeded(block: block)
            }
            // If the reader cannot identify the chip, report that instead of a missing password.
            try await tag.perform { try Type2Tag.withPassword($0).requireIdentifyingReader() }
            if map.sun != nil { throw TagError.fixedProtection }
            throw TagError.unsupported(reason: "its chip is not known to have a password")
        }
        return (protection, map)
    }

    /// Returns the state that the next reader sees without a password, not what this session may do.
    private func stateWithoutPassword(_ rules: ProtectionRules) async throws -> NDEFState {
        var state = try await tag.perform { try Type2Tag.withPassword($0).stateWithoutPassword() }
        if rules.isReadingProtected, let first = rules.first, state.needsPassword {
            state.reason = "reading and writing from block \(first) onwards need a password"
        }
        return state
    }

    /// Returns the blocks with the message and its TLV that anyone can write, although the password protects later
    /// blocks.
    private static func openMessageBlocks(_ memory: MemoryMap, _ rules: ProtectionRules) -> [Int] {
        guard let first = rules.first else { return [] }
        let blocks = memory.blocks.filter { $0.number < first && [.tlv, .ndef].contains($0.role) && !$0.isLocked }
        return blocks.map(\.number)
    }

    /// Reads the tag after a power-up, as the next reader will see it, and verifies its protection.
    func proven(_ wanted: ProtectionRules, opening credential: Type2Credential?) async throws -> TagReading {
        do {
            var change = self
            change.tag.unlocking.credential = credential
            change = try await change.afterPowerUp()
            let (found, memory) = try await change.protectionAndMemory()
            guard found.rules == wanted else {
                throw TagError.commandFailed(command: "the change to its protection", offset: nil, sw: nil)
            }
            var reading = try await session.currentReading(of: change.tag)
            reading.isVerified = true
            reading.protection = found
            reading.openBlocks = Self.openMessageBlocks(memory, found.rules)
            session.gate.didProve(found.rules, on: change.tag.target.identifier)
            reading.state = try await change.stateWithoutPassword(found.rules)
            return reading
        } catch {
            throw ProtectionCut.error(error, afterProtecting: wanted.first != nil)
        }
    }
}

extension Type2Tag {
    /// Returns the tag if its type supports passwords.
    static func withPassword(_ tag: any ForumTag) throws(TagError) -> Type2Tag {
        guard let tag = tag as? Type2Tag else {
            throw .unsupported(reason: "nfctool supports passwords only on Type 2 Tags")
        }
        // Confirm the chip first, because a lost answer must not look like a chip without a password.
        tag.confirmChip()
        return tag
    }
}
