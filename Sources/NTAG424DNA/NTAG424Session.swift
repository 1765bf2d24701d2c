// EV2 secure messaging, on the reader's side — NXP NT4H2421Gx, 9.1; AN12196, chapter 5

import SecureDynamicMessaging
import TagTypes

/// The result of an authentication: the keys of a session and its command counter.
struct NTAG424Session: Hashable, Sendable {
    /// The length of the MAC after protected data, in bytes.
    static let codeLength = 8
    /// The second byte of the status 9100, which means success.
    private static let success: UInt8 = 0x00

    /// The number of the key that opened the session.
    let keyNumber: Int
    /// TI, the transaction identifier, 4 bytes.
    let transaction: [UInt8]
    /// SesAuthENCKey, the key for encryption.
    let cipherKey: AES128Key
    /// SesAuthMACKey, the key for MACs.
    let codeKey: AES128Key
    /// CmdCtr, the command counter.
    private(set) var counter: UInt16

    init(keyNumber: Int, transaction: [UInt8], cipherKey: AES128Key, codeKey: AES128Key, counter: UInt16 = 0) {
        (self.keyNumber, self.transaction, self.counter) = (keyNumber, transaction, counter)
        (self.cipherKey, self.codeKey) = (cipherKey, codeKey)
    }

    /// Derives the keys of a session — 9.1.7.
    ///
    /// The random numbers are the reader's (RndA) and the tag's (RndB), 16 bytes each. The transaction identifier has 4
    /// bytes. For AuthenticateEV2NonFirst, the counter continues from the previous session.
    init(
        keyNumber: Int, key: AES128Key, rndA: [UInt8], rndB: [UInt8], transaction: [UInt8], counter: UInt16 = 0
    ) {
        let mixed = zip(rndA.dropFirst(2).prefix(6), rndB).map { $0 ^ $1 }
        let context = rndA.prefix(2) + mixed + rndB.dropFirst(6) + rndA.dropFirst(8)
        func derived(_ label: [UInt8]) -> AES128Key {
            AES128Key(key.authenticationCode(of: label + [0x00, 0x01, 0x00, 0x80] + context)) ?? .factory
        }
        self.init(
            keyNumber: keyNumber, transaction: transaction, cipherKey: derived([0xA5, 0x5A]),
            codeKey: derived([0x5A, 0xA5]), counter: counter)
    }

    private var counterBytes: [UInt8] { [UInt8(counter & 0xFF), UInt8(counter >> 8)] }

    private func vector(_ label: [UInt8]) -> [UInt8] {
        cipherKey.enciphered(label + transaction + counterBytes + [UInt8](repeating: 0, count: 8))
    }

    private func code(_ message: [UInt8]) -> [UInt8] {
        let whole = codeKey.authenticationCode(of: message)
        return stride(from: 1, to: whole.count, by: 2).map { whole[$0] }
    }

    /// Returns the command data field: the header and the data with their protection.
    ///
    /// - Parameters:
    ///   - command: the command code, which the MAC covers.
    ///   - header: the part that stays in plain text.
    ///   - data: the part that is encrypted in full mode.
    ///   - mode: no protection, a MAC, or a MAC and encryption.
    /// - Returns: the header and data, followed by 8 bytes of MAC unless the mode is plain.
    func sealed(
        _ command: UInt8, _ header: [UInt8], _ data: [UInt8], _ mode: NativeFileSettings.Communication
    ) -> [UInt8] {
        guard mode != .plain else { return header + data }
        let content =
            mode == .full && !data.isEmpty
            ? cipherKey.enciphered(Self.padded(data), vector: vector([0xA5, 0x5A])) : data
        return header + content + code([command] + counterBytes + transaction + header + content)
    }

    /// Removes the protection from the data of a successful answer, and counts the command.
    ///
    /// - Throws: `TagError.protocolViolation` if the MAC or the padding is wrong.
    mutating func opened(
        _ answer: [UInt8], to command: String, _ mode: NativeFileSettings.Communication
    ) throws(TagError) -> [UInt8] {
        // The counter must not overflow. At FFFF, the tag refuses the next command.
        counter = counter == .max ? counter : counter + 1
        guard mode != .plain else { return answer }
        let content = Array(answer.dropLast(Self.codeLength))
        guard answer.count >= Self.codeLength,
            code([Self.success] + counterBytes + transaction + content) == Array(answer.suffix(Self.codeLength))
        else {
            throw .protocolViolation(
                field: "the authentication code of the answer to \(command)", found: "wrong",
                expected: "one made with the key of the session", offset: nil)
        }
        guard mode == .full, !content.isEmpty else { return content }
        guard content.count.isMultiple(of: AES128Key.length),
            let plain = Self.unpadded(cipherKey.deciphered(content, vector: vector([0x5A, 0xA5])))
        else {
            throw .protocolViolation(
                field: "the padding of the answer to \(command)", found: "wrong", expected: "80 and zeros",
                offset: nil)
        }
        return plain
    }

    /// Pads data with method 2 of ISO/IEC 9797-1: `80`, followed by zeros to the end of the block.
    private static func padded(_ data: [UInt8]) -> [UInt8] {
        let padded = data + [0x80]
        return padded
            + [UInt8](repeating: 0, count: (AES128Key.length - padded.count % AES128Key.length) % AES128Key.length)
    }

    private static func unpadded(_ data: [UInt8]) -> [UInt8]? {
        guard let end = data.lastIndex(where: { $0 != 0 }), data[end] == 0x80 else { return nil }
        return Array(data[..<end])
    }
}
