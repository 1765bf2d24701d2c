// A message that an NTAG 424 DNA fills in itself, or lets only its keys write — NXP NT4H2421Gx, 9.3, 10.7.2

import Chips
import ReaderInterface

extension Type4Tag {
    /// FileNo of the NDEF file.
    private static let ndefFileNumber: UInt8 = 0x02
    /// The answers to select of an NTAG 4xx DNA: its own, and what a PC/SC reader makes of its historical bytes alone.
    ///
    /// A DESFire has the same historical bytes, and takes GetVersion, too.
    private static let ntagAnswers = [ntagATS, [0x00, 0x80]]

    /// Requires that an NTAG 424 DNA gives its message as it was written, and lets anyone write it; other tags pass.
    ///
    /// - Throws: ``TagError/messageNeedsKey(isDynamic:)``; ``TagError/readOnly(reason:)`` where no key may write it either.
    package func requirePlainMessage() throws(TagError) {
        // GetVersion may look to other cards like the first part of a chain.
        guard mayBeNTAG else { return }
        let rights = try persistently("GetFileSettings") { () throws(TagError) -> MessageRights? in
            try identify()
            return version?.chip.model == .ntag424 ? try ndefFileRights() : nil
        }
        guard let rights, !rights.isPlain else { return }
        if rights.keys == [] { throw .readOnly(reason: "its file settings do not allow writing") }
        throw .messageNeedsKey(isDynamic: rights.isDynamic)
    }

    /// Who may write the message of an NTAG 4xx DNA; nil of other tags, and if the chip does not report it.
    ///
    /// Costs an exchange, and the selection of the NDEF file.
    /// - Throws: ``TagError/notNDEF(reason:)``; errors of the connection.
    package func messageRights() throws(TagError) -> MessageRights? {
        guard mayBeNTAG, case .nfcA(let target) = channel.target else { return nil }
        // Where a PC/SC reader hides the answer to select, the card may be a DESFire.
        if target.ats != Self.ntagATS { guard try isNTAG424 else { return nil } }
        return try persistently("GetFileSettings") { () throws(TagError) in try ndefFileRights() }
    }

    /// Whether the answer to select is one of an NTAG 4xx DNA.
    private var mayBeNTAG: Bool {
        if case .nfcA(let target) = channel.target { Self.ntagAnswers.contains(target.ats) } else { false }
    }

    private func ndefFileRights() throws(TagError) -> MessageRights? {
        // The application is selected then; whether its file stays so is not known.
        try ensureFileSelected()
        isFileSelected = false
        let answer = try DESFireCommands(exchange: commands.exchange).send(.getFileSettings, [Self.ndefFileNumber])
        return answer.sw == DESFireCommands.success ? NativeFileSettings(answer.data).map(MessageRights.init) : nil
    }
}
