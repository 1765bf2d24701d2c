// The settings of a Type 2 Tag that can still be changed after a lock — NXP NTAG21x 8.7 (MIRROR, AUTH0, CFGLCK),
// MF0ICU2 7.5.8 and 7.5.10, MF0ULx1, NT3H2111/2211
import Chips

/// Settings that anyone can still change once a tag is locked, and their possible effects on its message.
public struct OpenConfiguration: Hashable, Sendable {
    /// The numbers of the blocks with the settings and the password or key.
    public let blocks: ClosedRange<Int>
    /// Whether the tag can be made to require a key rather than a password.
    public let usesKey: Bool
    /// Whether the chip can be made to show its UID in place of a part of the message.
    public let canMirror: Bool
}

extension Type2Tag {
    /// The settings that can still be changed when the tag is locked, or `nil` if there are none that are known.
    ///
    /// They can be changed if their lock bits are clear, they are not frozen, and no password is needed to write them.
    /// Anyone who can write AUTH0 can make the tag refuse to be read. Locking the tag with nfctool does not prevent
    /// this, although an Ultralight C has lock bits for these blocks.
    public var configurationOpenWhenLocked: OpenConfiguration? {
        guard let chip = memory.chip, let protection = chip.protection else { return nil }
        let first = protection.auth0Address / Self.blockSize
        guard !isLocked(first, nil) else { return nil }
        if let access = memory.cached(protection.accessAddress / Self.blockSize)?[0] {
            if protection.isConfigurationLocked(access) { return nil }
        } else if protection.cipher != .tripleDES {
            // Only an Ultralight C has no CFGLCK. On other chips, a configuration that could not be read may be frozen.
            return nil
        }
        let auth0 = memory.cached(first).map { Int($0[protection.auth0Address % Self.blockSize]) }
        guard let auth0, auth0 > first else { return nil }
        return OpenConfiguration(
            blocks: first...protection.secretBlocks.upperBound, usesKey: protection.cipher != nil,
            canMirror: chip.features.contains(.uidMirror))
    }
}
