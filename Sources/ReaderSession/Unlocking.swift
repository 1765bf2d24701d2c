// The means to open a protected tag — NXP NTAG21x and MF0ULx1 (PWD_AUTH, AUTHLIM), MF0ICU2

public import TagTypes

/// The means to open a tag that requires a password, and the purpose of opening it.
///
/// The password is never sent to a tag that requires none.
public struct Unlocking: Sendable {
    /// The password or key.
    ///
    /// If it is nil, no tag is opened.
    public var credential: Type2Credential?
    /// The purpose of opening the tag.
    ///
    /// With `Type2Purpose.reading`, no password is sent if reading is not protected.
    public var purpose: Type2Purpose
    /// Decides whether to send passwords that may lock a tag permanently.
    ///
    /// If it is nil, no such password is sent.
    public var passwordGuard: (any PasswordGuard)?
    /// Keys to try on a MIFARE Classic in addition to those for NDEF, or nil for none.
    public var keys: ClassicKeyRing?

    /// Creates the means to open a tag.
    public init(
        _ credential: Type2Credential?, for purpose: Type2Purpose = .writing,
        askedBy passwordGuard: (any PasswordGuard)? = nil, keys: ClassicKeyRing? = nil
    ) {
        self.keys = keys
        self.credential = credential
        self.purpose = purpose
        self.passwordGuard = passwordGuard
    }

    /// The means that open no tag.
    public static let none = Unlocking(nil)

    /// Returns the same means for another purpose.
    public func `for`(_ purpose: Type2Purpose) -> Unlocking {
        var unlocking = self
        unlocking.purpose = purpose
        return unlocking
    }

    /// Whether a tag that was opened with these means can also be used for the purpose of `other` without opening it
    /// again.
    ///
    /// A different credential takes effect only with the next activation.
    func includes(_ other: Unlocking) -> Bool { purpose == other.purpose || purpose == .writing }
}

/// A password or key to send to a tag.
public struct PasswordAttempt: Hashable, Sendable {
    /// The tag's identifier.
    public let uid: [UInt8]
    /// The password or key.
    public let credential: Type2Credential

    /// Creates an attempt.
    public init(uid: [UInt8], credential: Type2Credential) {
        self.uid = uid
        self.credential = credential
    }
}

/// Decides whether a password is sent to a tag that may count wrong ones, and remembers the result.
public protocol PasswordGuard: Sendable {
    /// Called on the reader's queue before sending a password that may lock the tag permanently.
    ///
    /// - Returns: the number of passwords that the tag is known to have refused since it last accepted one.
    /// - Throws: the reason why the password must not be sent.
    func willSend(_ attempt: PasswordAttempt, limit: Type2AttemptLimit) throws -> Int

    /// Called after the tag has answered a password.
    func didSend(_ attempt: PasswordAttempt, isAccepted: Bool)

    /// Called when an attempt failed, or is not made because it failed earlier.
    ///
    /// - Returns: the error to throw, which is the given one or one with more details.
    func explained(_ error: TagError, of attempt: PasswordAttempt) -> any Error
}
