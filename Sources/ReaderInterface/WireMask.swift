// Hides passwords and keys in traces — NXP NTAG21x and MF0ULx1 (PWD_AUTH, PWD, PACK), MF0ICU2 (key), MF1S50yyX (keys A
// and B); ISO/IEC 7816-4 (VERIFY and authentication commands); MF3D(H)x3 and NT4H2421Gx (native commands in APDUs)

import Hexadecimal
package import Synchronization

/// Hides secrets in the trace of a tag's commands and answers.
///
/// Everything else is shown unchanged. Authentication data is encrypted, but is also hidden, because a weak key can be
/// derived from it.
package struct WireMask {
    /// Whether traces show secrets.
    ///
    /// If true, nothing is hidden. The value must be set before the first frame.
    package static let showsSecrets = Atomic(false)

    /// The blocks that contain PWD, PACK or keys, by the storage size in the answer to GET_VERSION.
    private static let secretBlocks: [UInt8: Set<UInt8>] = [
        // NTAG210, Ultralight EV1 with 48 bytes; NTAG212, Ultralight EV1 with 128 bytes
        0x0B: [0x12, 0x13], 0x0E: [0x27, 0x28],
        // NTAG213; both keys of an Ultralight AES (the second is also the SUN key of an NTAG 223 DNA); the key of an
        // NTAG 224 DNA
        0x0F: Set(0x30...0x37).union([0x2B, 0x2C]), 0x10: Set(0x40...0x47),
        // NTAG215; NTAG216 and NTAG I2C plus 1k; NTAG I2C plus 2k
        0x11: [0x85, 0x86], 0x13: [0xE5, 0xE6], 0x15: [0xE5, 0xE6],
    ]
    /// The blocks that contain the key of an Ultralight C, which does not support GET_VERSION.
    private static let keyBlocks: Set<UInt8> = [0x2C, 0x2D, 0x2E, 0x2F]
    private static let allBlocks = secretBlocks.values.reduce(keyBlocks) { $0.union($1) }

    private var blocks = allBlocks
    private var last: [UInt8] = []
    /// Whether the last authentication was for a MIFARE Classic.
    ///
    /// This is the only kind of tag for which the reader itself performs the authentication.
    private var isClassic = false
    /// Whether the last command was the first part of a COMPATIBILITY_WRITE to a secret block.
    ///
    /// The secret follows in the next command.
    private var awaitsSecret = false
    /// Whether the last command was a step of an authentication, so that its answer is hidden.
    private var isAuthentication = false

    /// The PIN and key commands of ISO/IEC 7816-4.
    ///
    /// They are VERIFY, CHANGE REFERENCE DATA, RESET RETRY COUNTER, and EXTERNAL, INTERNAL and GENERAL AUTHENTICATE.
    private static let secretInstructions: Set<UInt8> = [0x20, 0x21, 0x24, 0x2C, 0x82, 0x86, 0x87, 0x88]
    /// The native commands of DESFire and NTAG 424 DNA that start an authentication.
    ///
    /// The commands in `nativeKeyCommands` contain keys: ChangeKey, ChangeKeyEV2 and SetConfiguration.
    private static let nativeAuthentications: Set<UInt8> = [0x0A, 0x1A, 0xAA, 0x71, 0x77]
    private static let nativeKeyCommands: Set<UInt8> = [0xC4, 0xC6, 0x5C]
    private static let native: UInt8 = 0x90
    private static let more: UInt8 = 0xAF
    /// The length in bytes of a command's header: CLA INS P1 P2 Lc.
    private static let headLength = 5
    /// The code of AUTHENTICATE for an Ultralight C or AES: `1A 00`, or `1A` and the key number.
    private static let authenticate: UInt8 = 0x1A

    /// Creates a mask for a tag that has not received a frame yet.
    package init() {}

    /// Returns the position from which a command's bytes, including their checksum, are hidden.
    ///
    /// Nil if nothing is hidden.
    package mutating func firstHidden(inCommand command: [UInt8]) -> Int? {
        guard !Self.showsSecrets.load(ordering: .relaxed) else { return nil }
        let wasAuthentication = isAuthentication
        last = command
        isAuthentication = false
        let isSecret = awaitsSecret
        awaitsSecret = false
        // The secret may be followed by a checksum.
        if isSecret, 16...18 ~= command.count { return 0 }
        if let first = firstHidden(inAPDU: command, wasAuthentication) { return first }
        switch (command.first, command.count) {
        // The command may be followed by a checksum.
        case (Self.authenticate, 2...4):
            isAuthentication = true
            return nil
        case (Self.more, 9...) where wasAuthentication:
            isAuthentication = true
            return 1
        case (0x1B, 5...): return 1
        case (0xA2, 6...) where blocks.contains(command[1]): return 2
        case (0x60, 12...), (0x61, 12...):
            isClassic = true
            return 2
        case (0xA0, 18...) where isSecretWrite(to: command[1]): return 2
        case (0xA0, 2...4) where isSecretWrite(to: command[1]):
            awaitsSecret = true
            return nil
        // ChangeKey of DESFire and NTAG 424 DNA: anyone who knows the old key can decipher its data.
        case (0x90, 7...) where command[1] == 0xC4: return 6
        case (0x60, _):
            (isClassic, blocks) = (false, Self.allBlocks)
            return nil
        default: return nil
        }
    }

    /// Returns the position from which the bytes of the answer to the last command are hidden.
    ///
    /// Nil if nothing is hidden.
    package mutating func firstHidden(inAnswer answer: [UInt8]) -> Int? {
        guard !Self.showsSecrets.load(ordering: .relaxed) else { return nil }
        // A shorter answer is only a status or a NAK.
        if isAuthentication, answer.count > 2 { return 0 }
        switch last.first {
        // The answer is PACK. A single byte is a NAK.
        case 0x1B where answer.count > 1: return 0
        // Key A reads as zero, but key B may be readable.
        case 0x30 where isClassic && last.count > 1 && Self.isTrailer(last[1]): return 10
        case 0x60 where answer.count >= 8:
            blocks = Self.secretBlocks[answer[6]] ?? Self.allBlocks
            return nil
        default: return nil
        }
    }

    /// Returns the position from which the bytes of an APDU with data are hidden.
    ///
    /// Nil if nothing is hidden, or if the command is not an APDU with data.
    private mutating func firstHidden(inAPDU command: [UInt8], _ wasAuthentication: Bool) -> Int? {
        guard command.count > Self.headLength, command.count - Self.headLength >= Int(command[4]) else { return nil }
        switch (command[0], command[1]) {
        case (Self.native, let code) where Self.nativeAuthentications.contains(code),
            (Self.native, let code) where code == Self.more && wasAuthentication:
            isAuthentication = true
            return Self.headLength
        // The key number comes first and stays visible.
        case (Self.native, let code) where Self.nativeKeyCommands.contains(code): return Self.headLength + 1
        case (0x00, let code) where Self.secretInstructions.contains(code),
            (0x80, let code) where Self.secretInstructions.contains(code),
            (0x0C, let code) where Self.secretInstructions.contains(code):
            isAuthentication = true
            return Self.headLength
        default: return nil
        }
    }

    /// Whether WRITE for a MIFARE Classic, or COMPATIBILITY_WRITE for a Type 2 Tag, writes a password or key to a
    /// block.
    private func isSecretWrite(to block: UInt8) -> Bool {
        Self.isTrailer(block) || !isClassic && blocks.contains(block)
    }

    private static func isTrailer(_ block: UInt8) -> Bool { block < 128 ? block % 4 == 3 : block % 16 == 15 }

    /// The password commands of NFC-V tags.
    ///
    /// They are WRITE PASSWORD and PRESENT PASSWORD of ST25DV (B1, B3), SET PASSWORD, WRITE PASSWORD, DESTROY and
    /// ENABLE PRIVACY of ICODE SLIX2 (B3, B4, B9, BA), and LOGIN and WRITE PASSWORD of EM4233 (E4, E6; from memory).
    /// KILL of ST25TV (A6) is recognised with its manufacturer code.
    private static let nfcVPasswordCodes: Set<UInt8> = [0xB1, 0xB3, 0xB4, 0xB9, 0xBA, 0xE4, 0xE6]

    /// Returns a command to a target in the form in which the trace shows it.
    package mutating func text(ofCommand command: [UInt8], to target: Target) -> String {
        guard case .nfcV = target else { return text(ofCommand: command) }
        last = []
        guard command.count > 2 else { return Self.text(command, nil) }
        // A6 contains a password only with the manufacturer code of ST (02), which follows the command code.
        let isKill = command[1] == 0xA6 && command[2] == 0x02
        return Self.text(command, isKill || Self.nfcVPasswordCodes.contains(command[1]) ? 2 : nil)
    }

    /// Returns a command in the form in which the trace shows it.
    package mutating func text(ofCommand command: [UInt8]) -> String {
        Self.text(command, firstHidden(inCommand: command))
    }

    package mutating func text(ofAnswer answer: [UInt8]) -> String { Self.text(answer, firstHidden(inAnswer: answer)) }

    private static func text(_ bytes: [UInt8], _ hidden: Int?) -> String {
        let shown = min(hidden ?? bytes.count, bytes.count)
        let parts = [bytes[..<shown].spacedHex] + Array(repeating: "**", count: bytes.count - shown)
        return parts.filter { !$0.isEmpty }.joined(separator: " ")
    }
}
