// The part of MIFARE Classic's cipher that the simulation needs — NXP MF1S50yyX, three-pass authentication

/// The answers in the three-pass authentication of MIFARE Classic.
///
/// This type is not the real CRYPTO1. It only keeps the message sizes on the air (nonce 4 bytes, reader's answer 8
/// bytes, tag's answer 4 bytes). Only the correct key, UID and nonce give the correct answers. Frames after an
/// authentication are marked as enciphered, but they are not enciphered.
enum CRYPTO1 {
    static let nonceSize = 4

    static func readerAnswer(key: [UInt8], uid: [UInt8], nonce: [UInt8]) -> [UInt8] {
        var mixer = TearNoise(seed: key + uid + nonce)
        return mixer.next().bigEndianBytes
    }

    static func tagAnswer(key: [UInt8], uid: [UInt8], nonce: [UInt8]) -> [UInt8] {
        Array(readerAnswer(key: key.reversed(), uid: uid, nonce: nonce).prefix(nonceSize))
    }
}

/// A tag that may answer 7-bit frames other than REQA and WUPA.
protocol BackdoorTag: TypeATag {
    /// Returns whether the tag answers the frame with ACK.
    func receiveShortFrame(_ code: UInt8) -> Bool
}

/// A tag that enciphers its frames after a reader has authenticated.
///
/// The radio cannot read enciphered frames, so it passes them on together with their CRC_A.
protocol CipheringTag: TypeATag {
    /// Handles an enciphered frame, which includes its checksum.
    func receiveCiphered(_ frame: [UInt8]) -> TagReply
    /// Handles an enciphered frame as ``receiveCiphered(_:)`` does, but power fails while the command executes.
    func receiveCipheredTorn(_ frame: [UInt8])
}
