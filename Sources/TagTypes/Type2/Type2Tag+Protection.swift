// Password and key protection of a Type 2 Tag — NXP NTAG21x, MF0ULx1, MF0ICU2, MF0AES(H)20; write order from the field
// notes of the project, 3.3
import Chips
import ReaderInterface

extension Type2Tag {
    /// Sets a password, verifies it in a new activation, and only then turns the protection on.
    ///
    /// The capability container stays unchanged. If the tag is already protected, authenticate first. The existing
    /// protection is removed before the password is changed.
    ///
    /// The message may already be locked, because its lock bits lock neither the configuration nor the password. On
    /// such a tag, the protection prevents others from changing the configuration.
    /// - Parameters:
    ///   - access: the access that requires the password.
    ///   - block: the number of the first protected block, which must not come after the block that contains AUTH0. All
    ///     blocks after it are protected as well.
    ///   - credential: the new password or key.
    ///   - limit: the number of wrong attempts after which the tag closes permanently; 0 means no limit.
    ///   - willAsk: called before the last step, which turns the protection on. Before that step, the tag requires no
    ///     credential.
    /// - Throws: before any write, ``TagError/unsupported(reason:)``, ``TagError/passwordNeeded(block:)``,
    ///   ``TagError/readOnly(reason:mayBeRestored:)``; after that,
    ///   ``TagError/protectionInterrupted(done:missing:cause:)``.
    public func protect(
        _ access: ProtectedAccess, from block: Int, with credential: Type2Credential, limit: Int = 0,
        willAsk: () throws(TagError) -> Void = {}
    ) throws(TagError) {
        let (chip, protection) = try protectedChip(for: credential, from: block, limit: limit)
        let found = try changeableConfiguration(chip, protection)
        var steps: [ProtectionStep] = []
        if Int(found.auth0) < chip.protectableEnd { steps.append(.auth0(protection.openAUTH0)) }
        if protection.limit(found.access) > 0 { steps.append(.access(.writing, limit: 0)) }
        steps += [.secret(credential), .access(access, limit: limit), .auth0(UInt8(truncatingIfNeeded: block))]
        try carryOut(steps, protection, beforeLast: willAsk)
    }

    /// Checks that the chip supports this kind of protection, and that the protection can begin at this block and have
    /// this limit.
    ///
    /// Nothing is written.
    /// - Throws: ``TagError/unsupported(reason:)``.
    package func requireProtection(
        from block: Int, with credential: Type2Credential, limit: Int
    ) throws(TagError) {
        _ = try protectedChip(for: credential, from: block, limit: limit)
    }

    private func protectedChip(
        for credential: Type2Credential, from block: Int, limit: Int
    ) throws(TagError) -> (Type2Chip, Type2Protection) {
        let (chip, protection) = try protectedChip(for: credential)
        let protectable = protection.firstProtectable...protection.auth0Address / Self.blockSize
        guard protectable ~= block else {
            let blocks = "\(protectable.lowerBound) to \(protectable.upperBound)"
            throw .unsupported(reason: "protection can begin at blocks \(blocks), not at \(block)")
        }
        guard 0...protection.largestLimit ~= limit else {
            let largest = protection.largestLimit
            let reason = "its limit on wrong attempts is \(largest) at most, not \(limit)"
            throw .unsupported(reason: largest == 0 ? "it cannot limit wrong attempts" : reason)
        }
        return (chip, protection)
    }

    /// Removes the protection and restores the factory password of the chip.
    ///
    /// If the tag requires no password, the other steps are carried out anyway, because an earlier attempt may have
    /// been interrupted.
    /// - Throws: ``TagError/wrongPassword(remaining:)``, ``TagError/readOnly(reason:mayBeRestored:)``,
    ///   ``TagError/unsupported(reason:)``; ``TagError/protectionInterrupted(done:missing:cause:)`` after the first
    ///   write.
    public func unprotect(_ credential: Type2Credential) throws(TagError) {
        let (chip, protection) = try protectedChip(for: credential)
        if try attemptLimit(for: .writing, with: credential) != nil { try authenticate(credential) }
        _ = try changeableConfiguration(chip, protection)
        // The factory values are ACCESS 00 for an NTAG21x, AUTH1 00 for an Ultralight C, and PROT 1 for an Ultralight
        // AES.
        let access: ProtectedAccess = protection.cipher == nil ? .writing : .readingAndWriting
        try carryOut(
            [.auth0(protection.openAUTH0), .access(access, limit: 0), .secret(.delivered(for: protection))],
            protection)
        memory.credential = nil
    }
}

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
    /// Returns AUTH0 and the block that begins with ACCESS or AUTH1, or throws an error if they cannot be read or
    /// changed.
    func changeableConfiguration(
        _ chip: Type2Chip, _ protection: Type2Protection
    ) throws(TagError) -> (auth0: UInt8, access: [UInt8]) {
        let blocks = protection.configurationBlocks
        memory.forget(blocks)
        guard let auth0 = try loadedByte(protection.auth0Address),
            let access = try loadedBlock(protection.accessAddress / 4)
        else { throw .passwordNeeded(block: blocks.lowerBound) }
        if memory.credential == nil, Int(auth0) < chip.protectableEnd { throw .passwordNeeded(block: Int(auth0)) }
        if let lock = chip.dynamicLock { try memory.load(lock.blocks) }
        if let lock = protection.secretLock { try memory.load(lock.block...lock.block) }
        let isFrozen = (blocks.lowerBound...protection.secretBlocks.upperBound).contains { isLocked($0, nil) }
        if isFrozen || protection.isConfigurationLocked(access[0]) {
            throw .readOnly(reason: "its password configuration is frozen permanently")
        }
        return (auth0, access)
    }

    private func carryOut(
        _ steps: [ProtectionStep], _ protection: Type2Protection, beforeLast: () throws(TagError) -> Void = {}
    ) throws(TagError) {
        defer {
            memory.forgetAll()
            forgetArea()
        }
        for (index, step) in steps.enumerated() {
            do throws(TagError) {
                if index == steps.count - 1 { try beforeLast() }
                switch step {
                case .auth0(let auth0): try reconfigure(protection.auth0Address) { _ in auth0 }
                case .access(let access, let limit):
                    try rewrite(protection.accessAddress / 4) { protection.set(access, limit: limit, in: &$0) }
                case .secret(let credential): try replaceSecret(with: credential, protection)
                }
            } catch {
                let names = steps.map { $0.name(protection) }
                throw .protectionInterrupted(
                    done: Array(names[..<index]), missing: Array(names[index...]), cause: error)
            }
        }
    }

    /// Writes a password or key while the tag requires none, and authenticates with it in a new activation.
    private func replaceSecret(with credential: Type2Credential, _ protection: Type2Protection) throws(TagError) {
        memory.credential = nil
        // The password cannot be read back, so the cached bytes of these blocks must not cause a write to be skipped.
        memory.forget(protection.secretBlocks)
        for (block, bytes) in zip(protection.secretBlocks, credential.secret(for: protection)) {
            try memory.write(bytes, to: block)
        }
        memory.forget(protection.secretBlocks)
        memory.credential = credential
        do throws(TagError) {
            try memory.reselect()
        } catch {
            memory.credential = nil
            throw error
        }
    }

    /// Changes one byte of the configuration, and verifies it.
    func reconfigure(_ address: Int, _ value: (UInt8) -> UInt8) throws(TagError) {
        try rewrite(address / 4) { $0[address % 4] = value($0[address % 4]) }
    }

    /// Changes a block of the configuration, and verifies it in a new activation.
    func rewrite(_ block: Int, _ change: (inout [UInt8]) -> Void) throws(TagError) {
        memory.forget([block])
        var bytes = try memory.block(block, limit: block + 1)
        change(&bytes)
        try memory.write(bytes, to: block)
        // Some settings, above all AUTHLIM, take effect only when the tag is selected and authenticated again.
        try memory.reselect()
        memory.forget([block])
        guard try memory.block(block, limit: block + 1) == bytes else {
            throw .commandFailed(command: "WRITE of the configuration", offset: block * 4, sw: nil)
        }
    }

    /// Returns a byte of the memory, or `nil` if it cannot be read.
    func loadedByte(_ address: Int) throws(TagError) -> UInt8? {
        try loadedBlock(address / 4)?[address % 4]
    }

    /// Returns a block of the memory, or `nil` if it cannot be read.
    func loadedBlock(_ block: Int) throws(TagError) -> [UInt8]? {
        try memory.load(block...block)
        return memory.cached(block)
    }
}

extension Type2Memory {
    /// Authenticates again after an activation, with the credential that the tag accepted before.
    ///
    /// - Throws: ``TagError/wrongPassword(remaining:)`` if the tag refuses the credential twice, the second time after
    ///   a new activation; ``TagError/noReliableAnswer(command:offset:)`` if the tag refuses it once and may count
    ///   wrong passwords, so that it must not be sent again; ``TagError/foreignPACK``.
    func authenticateAgain() throws(TagError) {
        guard let credential else { return }
        var refusals = 0
        for _ in 0..<Self.reopenings {
            switch try credential.offer(on: channel, for: chip?.protection?.cipher ?? sunLayout?.cipher) {
            case .accepted: return
            case .acceptedWithForeignPACK: throw .foreignPACK
            case .refused(isClosed: true): throw .wrongPassword(remaining: .count(0))
            case .refused(isClosed: false):
                // The tag accepted the credential before, or it was just written, so a single NAK is probably caused by
                // noise.
                refusals += 1
                try activate()
                guard attemptLimit == .none else { throw .noReliableAnswer(command: "PWD_AUTH", offset: nil) }
                guard refusals < 2 else { throw .wrongPassword(remaining: .none) }
            case .unheard: try activate()
            }
        }
        throw .reader(.noAnswer)
    }

    /// The number of wrong passwords that close the tag, as far as its configuration was read.
    private var attemptLimit: Type2AttemptLimit {
        guard let protection = chip?.protection else { return .unknown }
        return protection.attemptLimit(cached(protection.accessAddress / Type2Tag.blockSize))
    }

    /// The maximum number of attempts with a password that the tag accepted before.
    ///
    /// More than one attempt is needed, because answers may be lost.
    private static let reopenings = 5
}

extension Type2AttemptLimit {
    /// Returns the limit that remains after a number of wrong passwords.
    func remaining(after wrongTries: Int) -> Type2AttemptLimit {
        if case .count(let limit) = self { .count(max(0, limit - wrongTries)) } else { self }
    }
}
