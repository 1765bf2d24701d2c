// Password and key protection of a Type 2 Tag — NXP NTAG21x, MF0ULx1, MF0ICU2; write order of our field notes, 3.3
import NFCReader

extension Type2Tag {
    /// Opens the tag where it asks for a password; does nothing to one that asks for none.
    ///
    /// - Throws: what ``authenticate(_:)`` throws.
    public func open(with credential: Type2Credential) throws(TagError) {
        try identify()
        guard let chip = memory.chip, let protection = chip.protection else { return }
        // An AUTH0 that cannot be read is itself behind the password.
        if let auth0 = try loadedByte(protection.auth0Address), Int(auth0) >= chip.protectableEnd { return }
        try authenticate(credential)
    }

    /// Opens the tag's protected blocks, for this activation and for those that follow on the same channel.
    ///
    /// - Throws: ``TagError/wrongPassword(remaining:)``; ``TagError/unsupported(reason:)`` when the chip has no
    ///   protection of this kind.
    public func authenticate(_ credential: Type2Credential) throws(TagError) {
        let (_, protection) = try protectedChip(for: credential)
        let limit = try loadedByte(protection.accessAddress).map { protection.limit($0) }
        memory.credential = nil
        // Where wrong tries do not count, silence gets a second chance.
        for attempt in 0..<(limit == 0 ? 2 : 1) {
            if attempt > 0 { try memory.activate() }
            do {
                try credential.authenticate(on: channel)
                memory.credential = credential
                memory.forgetRefusals()
                wrongTries = 0
                return forgetArea()
            } catch .reader(.noAnswer) {
                continue
            }
        }
        wrongTries += 1
        try memory.activate()
        throw .wrongPassword(remaining: limit.flatMap { $0 == 0 ? nil : max(0, $0 - wrongTries) })
    }

    /// Sets a password, proves it in a fresh activation, and only then asks for it.
    ///
    /// The capability container stays as it is. On a tag that is protected already, authenticate first: its protection
    /// is taken off before the password changes.
    /// - Parameters:
    ///   - access: what the password is asked for.
    ///   - block: the first protected block; all after it are protected, too.
    ///   - credential: what opens the tag from now on.
    ///   - limit: wrong tries after which the tag is closed for ever, at most 7; 0 for no limit.
    /// - Throws: before any write ``TagError/unsupported(reason:)``, ``TagError/passwordNeeded(block:)``,
    ///   ``TagError/readOnly(reason:)``; after it ``TagError/protectionInterrupted(done:missing:cause:)``.
    public func protect(
        _ access: ProtectedAccess, from block: Int, with credential: Type2Credential, limit: Int = 0
    ) throws(TagError) {
        let (chip, protection) = try protectedChip(for: credential)
        guard protection.firstProtectable..<chip.userEnd ~= block else {
            throw .unsupported(
                reason:
                    "protection can begin at blocks \(protection.firstProtectable)…\(chip.userEnd - 1), not at \(block)"
            )
        }
        guard 0...(protection == .tripleDES ? 0 : 7) ~= limit else {
            throw .unsupported(reason: "wrong tries cannot be limited to \(limit)")
        }
        let found = try changeableConfiguration(chip, protection)
        let layout = try? presentArea().1
        if let locked = (block..<chip.userEnd).first(where: { $0 >= 4 && isLocked($0, layout) }) {
            throw .readOnly(reason: "its lock bits lock block \(locked) for good")
        }
        var steps: [ProtectionStep] = []
        if Int(found.auth0) < chip.protectableEnd { steps.append(.auth0(protection.openAUTH0)) }
        if protection.limit(found.access) > 0 { steps.append(.access(.writing, limit: 0)) }
        steps += [.secret(credential), .access(access, limit: limit), .auth0(UInt8(truncatingIfNeeded: block))]
        try carryOut(steps, protection)
    }

    /// Takes the protection off, and gives the chip the password it was delivered with.
    ///
    /// On a tag that asks for no password the rest is done all the same: an earlier attempt may have been cut off.
    /// - Throws: ``TagError/wrongPassword(remaining:)``, ``TagError/readOnly(reason:)``,
    ///   ``TagError/unsupported(reason:)``; ``TagError/protectionInterrupted(done:missing:cause:)`` after the first write.
    public func unprotect(_ credential: Type2Credential) throws(TagError) {
        let (chip, protection) = try protectedChip(for: credential)
        try open(with: credential)
        _ = try changeableConfiguration(chip, protection)
        // As delivered, an NTAG21x has ACCESS 00 and an Ultralight C AUTH1 00.
        let access: ProtectedAccess = protection == .tripleDES ? .readingAndWriting : .writing
        try carryOut(
            [.auth0(protection.openAUTH0), .access(access, limit: 0), .secret(.delivered(for: protection))],
            protection)
        memory.credential = nil
    }
}

/// What a change of protection consists of.
private enum ProtectionStep {
    case auth0(UInt8)
    case access(ProtectedAccess, limit: Int)
    case secret(Type2Credential)

    func name(_ protection: Type2Protection) -> String {
        switch self {
        case .auth0(protection.openAUTH0): "no block protected"
        case .auth0(let block): "protection from block \(block)"
        case .access: "access rules"
        case .secret(.password): "password"
        case .secret(.key): "key"
        }
    }
}

extension Type2Tag {
    private func protectedChip(for credential: Type2Credential) throws(TagError) -> (Type2Chip, Type2Protection) {
        try identify()
        guard let chip = memory.chip, let protection = chip.protection else {
            throw .unsupported(reason: "its chip is not known to have a password")
        }
        guard credential.fits(protection) else {
            throw .unsupported(
                reason:
                    "its chip wants a \(protection == .tripleDES ? "3DES key, 32 hexadecimal digits" : "password, 8 hexadecimal digits")"
            )
        }
        return (chip, protection)
    }

    /// AUTH0 and ACCESS, when they can be read and changed.
    func changeableConfiguration(
        _ chip: Type2Chip, _ protection: Type2Protection
    ) throws(TagError) -> (auth0: UInt8, access: UInt8) {
        let blocks = protection.configurationBlocks
        memory.forget(blocks)
        guard let auth0 = try loadedByte(protection.auth0Address),
            let access = try loadedByte(protection.accessAddress)
        else { throw .passwordNeeded(block: blocks.lowerBound) }
        if memory.credential == nil, Int(auth0) < chip.protectableEnd { throw .passwordNeeded(block: Int(auth0)) }
        if let lock = chip.dynamicLock { try memory.load(lock.blocks) }
        let isFrozen = (blocks.lowerBound...protection.secretBlocks.upperBound).contains { isLocked($0, nil) }
        if isFrozen || protection.isConfigurationLocked(access) {
            throw .readOnly(reason: "its password configuration is frozen for good")
        }
        return (auth0, access)
    }

    private func carryOut(_ steps: [ProtectionStep], _ protection: Type2Protection) throws(TagError) {
        defer {
            memory.forgetAll()
            forgetArea()
        }
        for (index, step) in steps.enumerated() {
            do throws(TagError) {
                switch step {
                case .auth0(let auth0): try reconfigure(protection.auth0Address) { _ in auth0 }
                case .access(let access, let limit):
                    try reconfigure(protection.accessAddress) { protection.access($0, access, limit: limit) }
                case .secret(let credential): try replaceSecret(with: credential, protection)
                }
            } catch {
                let names = steps.map { $0.name(protection) }
                throw .protectionInterrupted(
                    done: Array(names[..<index]), missing: Array(names[index...]), cause: error)
            }
        }
    }

    /// Writes a password while none is asked for, and authenticates with it in a fresh activation.
    private func replaceSecret(with credential: Type2Credential, _ protection: Type2Protection) throws(TagError) {
        memory.credential = nil
        // It never reads back, so that what the cache says of these blocks is no reason to leave out a write.
        memory.forget(protection.secretBlocks)
        for (block, bytes) in zip(protection.secretBlocks, credential.secret) { try memory.write(bytes, to: block) }
        memory.forget(protection.secretBlocks)
        memory.credential = credential
        do throws(TagError) {
            try memory.reselect()
        } catch {
            memory.credential = nil
            throw error
        }
    }

    /// Changes one byte of the configuration.
    func reconfigure(_ address: Int, _ value: (UInt8) -> UInt8) throws(TagError) {
        try rewrite(address / 4) { $0[address % 4] = value($0[address % 4]) }
    }

    /// Changes a block of the configuration and reads it back in a fresh activation.
    func rewrite(_ block: Int, _ change: (inout [UInt8]) -> Void) throws(TagError) {
        memory.forget([block])
        var bytes = try memory.block(block, limit: block + 1)
        change(&bytes)
        try memory.write(bytes, to: block)
        memory.forget([block])
        try memory.reselect()
        guard try memory.block(block, limit: block + 1) == bytes else {
            throw .commandFailed(command: "WRITE of the configuration", offset: block * 4, sw: nil)
        }
    }

    /// A byte of the memory, `nil` when it cannot be read.
    private func loadedByte(_ address: Int) throws(TagError) -> UInt8? {
        try memory.load(address / 4...address / 4)
        return memory.cached(address / 4)?[address % 4]
    }
}
