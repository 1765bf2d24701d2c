// AES-128 in CBC, and CMAC — FIPS 197, NIST SP 800-38B

import Clibcrypto

/// An AES-128 key with which an NTAG 424 DNA encrypts and authenticates.
///
/// Its text forms do not contain the bytes of the key.
public struct AES128Key: Hashable, Sendable, CustomStringConvertible, CustomDebugStringConvertible {
    package let bytes: [UInt8]

    /// The length of a key and of a block, in bytes.
    package static let length = 16

    /// The factory key, all zeros.
    public static let factory = AES128Key(unchecked: [UInt8](repeating: 0, count: length))

    /// Creates a key from 16 bytes, or returns nil for another length.
    public init?(_ bytes: [UInt8]) {
        guard bytes.count == Self.length else { return nil }
        self.bytes = bytes
    }

    private init(unchecked bytes: [UInt8]) { self.bytes = bytes }

    /// A description that does not contain the bytes of the key.
    public var description: String { "AES-128 key" }
    /// A description that does not contain the bytes of the key.
    public var debugDescription: String { description }

    /// Encrypts whole blocks in CBC mode.
    ///
    /// The initialisation vector is all zeros by default. The length of the input must be a multiple of 16 bytes.
    package func enciphered(_ input: [UInt8], vector: [UInt8]? = nil) -> [UInt8] { transformed(input, vector, 1) }

    /// Decrypts whole blocks in CBC mode.
    package func deciphered(_ input: [UInt8], vector: [UInt8]? = nil) -> [UInt8] { transformed(input, vector, 0) }

    private func transformed(_ input: [UInt8], _ vector: [UInt8]?, _ direction: CInt) -> [UInt8] {
        precondition(input.count.isMultiple(of: Self.length), "whole blocks only")
        let context = EVP_CIPHER_CTX_new()
        defer { EVP_CIPHER_CTX_free(context) }
        var output = [UInt8](repeating: 0, count: input.count + Self.length)
        var count: CInt = 0
        let vector = vector ?? [UInt8](repeating: 0, count: Self.length)
        guard EVP_CipherInit_ex(context, EVP_aes_128_cbc(), nil, bytes, vector, direction) == 1,
            EVP_CIPHER_CTX_set_padding(context, 0) == 1,
            EVP_CipherUpdate(context, &output, &count, input, CInt(input.count)) == 1, Int(count) == input.count
        else { preconditionFailure("libcrypto is out of memory for AES") }
        return Array(output.prefix(input.count))
    }

    /// Returns the 16-byte CMAC of a message — NIST SP 800-38B, 6.2.
    ///
    /// A message that is shorter than `least` bytes is padded to that length, as NXP's AN10922 specifies. `least` is a
    /// multiple of 16.
    package func authenticationCode(of message: [UInt8], paddedTo least: Int = length) -> [UInt8] {
        let first = Self.doubled(enciphered([UInt8](repeating: 0, count: Self.length)))
        var padded = message
        let subkey: [UInt8]
        if message.count < least || !message.count.isMultiple(of: Self.length) {
            padded.append(0x80)
            let missing = (Self.length - padded.count % Self.length) % Self.length
            padded += [UInt8](repeating: 0, count: max(missing, least - padded.count))
            subkey = Self.doubled(first)
        } else {
            subkey = first
        }
        let end = padded.count - Self.length
        for index in subkey.indices { padded[end + index] ^= subkey[index] }
        return enciphered(padded).suffix(Self.length)
    }

    /// Returns a block multiplied by x in GF(2^128).
    private static func doubled(_ block: [UInt8]) -> [UInt8] {
        var result = zip(block, block.dropFirst() + [0]).map { $0 << 1 | $1 >> 7 }
        if block[0] & 0x80 != 0 { result[length - 1] ^= 0x87 }
        return result
    }
}
