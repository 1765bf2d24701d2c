// Messages that an NTAG 424 DNA fills in itself, or that require a key for writing — NXP NT4H2421Gx, 9.3, 10.7.2

import Chips
import ReaderInterface

extension Type4Tag {
    /// The FileNo of the NDEF file.
    private static let ndefFileNumber: UInt8 = 0x02
    /// The answers to select of an NTAG 4xx DNA: the real one, and the one that a PC/SC reader makes of its historical
    /// bytes.
    ///
    /// A DESFire has the same historical bytes and also supports GetVersion.
    private static let ntagAnswers = [ntagATS, [0x00, 0x80]]

    /// Checks that an NTAG 424 DNA returns its message as written and lets anyone write it.
    ///
    /// Other tags pass.
    ///
    /// - Throws: ``TagError/messageNeedsKey(isDynamic:)``; ``TagError/readOnly(reason:)`` if no key may write it
    ///   either.
    package func requirePlainMessage() throws(TagError) {
        // To other cards, GetVersion may look like the first part of a chain.
        guard mayBeNTAG else { return }
        let rights = try persistently("GetFileSettings") { () throws(TagError) -> MessageRights? in
            try identify()
            return version?.chip.model == .ntag424 ? try ndefFileRights() : nil
        }
        guard let rights, !rights.isPlain else { return }
        if rights.keys == [] { throw .readOnly(reason: "its file settings do not allow writing") }
        throw .messageNeedsKey(isDynamic: rights.isDynamic)
    }

    /// Returns the write access to the message of an NTAG 4xx DNA, or nil for other tags and if the chip does not
    /// report it.
    ///
    /// This costs one exchange, after which the NDEF file must be selected again.
    /// - Throws: ``TagError/notNDEF(reason:)``; errors of the connection.
    package func messageRights() throws(TagError) -> MessageRights? {
        guard mayBeNTAG, case .nfcA(let target) = channel.target else { return nil }
        // If a PC/SC reader hides the answer to select, the card may be a DESFire.
        if target.ats != Self.ntagATS { guard try isNTAG424 else { return nil } }
        return try persistently("GetFileSettings") { () throws(TagError) in try ndefFileRights() }
    }

    /// Whether the answer to select is one of an NTAG 4xx DNA.
    private var mayBeNTAG: Bool {
        if case .nfcA(let target) = channel.target { Self.ntagAnswers.contains(target.ats) } else { false }
    }

    private func ndefFileRights() throws(TagError) -> MessageRights? {
        // This selects the application. It is not known whether its file stays selected afterwards.
        try ensureFileSelected()
        isFileSelected = false
        let answer = try DESFireCommands(exchange: commands.exchange).send(.getFileSettings, [Self.ndefFileNumber])
        return answer.sw == DESFireCommands.success ? NativeFileSettings(answer.data).map(MessageRights.init) : nil
    }
}
