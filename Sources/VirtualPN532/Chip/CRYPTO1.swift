// What the simulation needs of MIFARE Classic's cipher — NXP MF1S50yyX, three-pass authentication

/// The answers of the three-pass authentication.
///
/// A stand-in for CRYPTO1, in the shapes it has on the air (nonce 4 bytes, reader's answer 8, tag's answer 4): only the
/// right key, UID and nonce give the right answers. What follows an authentication is marked as ciphered, not ciphered.
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

/// A tag that may answer other frames of 7 bits than REQA and WUPA.
protocol BackdoorTag: TypeATag {
    /// Whether it answers the frame with ACK.
    func receiveShortFrame(_ code: UInt8) -> Bool
}

/// A tag that ciphers its frames once a reader was authenticated.
///
/// The radio does not see into such frames: they come and go with their CRC_A.
protocol CipheringTag: TypeATag {
    /// A ciphered frame, whole.
    func receiveCiphered(_ frame: [UInt8]) -> TagReply
    /// As ``receiveCiphered(_:)``, but power fails while the command executes.
    func receiveCipheredTorn(_ frame: [UInt8])
}
