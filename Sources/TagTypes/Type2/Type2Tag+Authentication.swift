// Opening a protected Type 2 Tag — NXP NTAG21x, MF0ULx1 (PWD_AUTH), MF0ICU2, MF0AES(H)20 (AUTHENTICATE)
import Chips
import ReaderInterface

/// The intended use of a tag that may be protected.
public enum Type2Purpose: Hashable, Sendable {
    /// Only reading. A tag that protects only writing needs no password for this.
    case reading
    /// Reading and writing.
    case writing
}

/// The number of consecutive wrong passwords or keys that close a tag permanently (AUTHLIM).
public enum Type2AttemptLimit: Hashable, Sendable {
    /// The tag does not limit wrong passwords.
    case none
    /// The number of wrong passwords that close the tag, 1…1023, or 0 if the tag is already closed.
    case count(Int)
    /// The limit is not known, for example because it cannot be read without the password.
    case unknown
}

extension Type2Tag {
    /// The maximum number of times that an unanswered password is sent, if wrong passwords cannot close the tag.
    private static let attempts = 5

    /// The accepted credential, with which the tag is opened again after each activation, or `nil` if there is none.
    public var openedBy: Type2Credential? { memory.credential }

    /// Returns the limit on wrong attempts that applies if a password or key is sent, or `nil` if the tag requires none
    /// or has already accepted one.
    ///
    /// No password is sent.
    /// - Throws: ``TagError/unsupported(reason:)`` if the tag requires a different kind of credential.
    public func attemptLimit(
        for purpose: Type2Purpose, with credential: Type2Credential
    ) throws(TagError) -> Type2AttemptLimit? {
        try identify()
        guard memory.credential == nil else { return nil }
        if let layout = memory.sunLayout { return try attemptLimit(for: purpose, with: credential, layout) }
        guard let chip = memory.chip, let protection = chip.protection else { return nil }
        // If AUTH0 cannot be read, it may be protected itself.
        let auth0 = try loadedByte(protection.auth0Address)
        if let auth0, Int(auth0) >= chip.protectableEnd { return nil }
        let access = try loadedBlock(protection.accessAddress / 4)
        if purpose == .reading, auth0 != nil, let access, !protection.protectsReading(access) { return nil }
        _ = try protectedChip(for: credential)
        return protection.attemptLimit(access)
    }

    /// Opens the protected blocks of the tag, for this activation and later ones on the same channel.
    ///
    /// If wrong passwords may close the tag, the password is sent only once, unless it is proven and the answer is
    /// missing. If they cannot close the tag, the password is sent again after a missing answer or a first refusal.
    /// - Parameters:
    ///   - credential: the password or key.
    ///   - isProven: whether this tag is known to have accepted the credential before, so that there is no risk in
    ///     sending it again.
    ///   - wrongTries: the number of passwords that the tag is known to have refused since it last accepted one.
    /// - Throws: ``TagError/wrongPassword(remaining:)``; ``TagError/foreignPACK``; ``TagError/passwordUnanswered`` if
    ///   the tag may have counted the password as wrong; ``TagError/unsupported(reason:)`` if the chip has no
    ///   protection of this kind.
    public func authenticate(
        _ credential: Type2Credential, isProven: Bool = false, after wrongTries: Int = 0
    ) throws(TagError) {
        let (cipher, limit) = try opening(for: credential)
        self.wrongTries = max(self.wrongTries, wrongTries)
        memory.credential = nil
        var refusals = 0
        for attempt in 0..<Self.attempts {
            if attempt > 0 { try memory.activate() }
            switch try credential.offer(on: channel, for: cipher) {
            case .accepted:
                memory.credential = credential
                if let protection = memory.chip?.protection { try requirePlainMessaging(protection) }
                memory.forgetRefusals()
                self.wrongTries = 0
                return forgetArea()
            case .acceptedWithForeignPACK:
                self.wrongTries = 0
                // The tag is open now, whatever PACK it returned. Activate it again, so that it requires the password
                // again.
                try? memory.activate()
                throw .foreignPACK
            case .refused(let isClosed):
                refusals += 1
                guard isClosed || limit != .none || refusals > 1 else { continue }
                self.wrongTries += 1
                // The refusal is certain, so ignore an error if the tag has left.
                try? memory.activate()
                throw .wrongPassword(remaining: isClosed ? .count(0) : limit.remaining(after: self.wrongTries))
            case .unheard:
                guard limit != .none, !isProven else { continue }
                try? memory.activate()
                throw .passwordUnanswered
            }
        }
        try memory.activate()
        throw .reader(.noAnswer)
    }

    /// Returns the cipher of the tag's key, which is `nil` for a password, and the limit on wrong attempts.
    private func opening(
        for credential: Type2Credential
    ) throws(TagError) -> (cipher: UltralightKey.Cipher?, limit: Type2AttemptLimit) {
        try identify()
        if let layout = memory.sunLayout { return (try cipher(layout, for: credential), .unknown) }
        let (_, protection) = try protectedChip(for: credential)
        return (protection.cipher, protection.attemptLimit(try loadedBlock(protection.accessAddress / 4)))
    }

    func protectedChip(for credential: Type2Credential) throws(TagError) -> (Type2Chip, Type2Protection) {
        try identify()
        guard let chip = memory.chip, let protection = chip.protection else {
            try memory.requireIdentifyingReader()
            if memory.sunLayout != nil { throw .fixedProtection }
            throw .unsupported(reason: "its chip is not known to have a password")
        }
        try memory.requireWritingReader()
        try credential.require(for: protection.cipher)
        if memory.credential == nil { try requirePlainMessaging(protection) }
        return (chip, protection)
    }

    /// CFG 0 bit 1, SEC_MSG_ACT, of an Ultralight AES: if it is set, each command after authentication must carry a
    /// CMAC.
    private static let secureMessaging: UInt8 = 0x02

    /// Throws an error if the chip requires a CMAC with each command after authentication, which is not supported.
    ///
    /// If CFG 0 cannot be read after authentication, the chip is assumed to require a CMAC.
    private func requirePlainMessaging(_ protection: Type2Protection) throws(TagError) {
        guard protection == .aes else { return }
        let block = protection.auth0Address / 4
        if memory.credential != nil { memory.forget([block]) }
        let configuration = try loadedBlock(block)
        guard configuration.map({ $0[0] & Self.secureMessaging != 0 }) ?? (memory.credential != nil) else { return }
        if memory.credential != nil {
            memory.credential = nil
            try memory.activate()
        }
        throw .unsupported(
            reason:
                "its secure messaging is on: after authentication each command needs a CMAC, which nfctool does not send"
        )
    }
}
