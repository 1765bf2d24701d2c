// A message that an NTAG 424 DNA fills in itself, or lets only its keys write — NXP NT4H2421Gx, 9.3, 10.7.2

import Chips
import ReaderInterface

extension Type4Tag {
    /// FileNo of the NDEF file.
    private static let ndefFileNumber: UInt8 = 0x02

    /// Requires that an NTAG 424 DNA gives its message as it was written, and lets everybody write it; other tags pass.
    ///
    /// - Throws: ``TagError/messageNeedsKey(isDynamic:)``.
    package func requirePlainMessage() throws(TagError) {
        // GetVersion may look to other cards like the first part of a chain.
        guard case .nfcA(let target) = channel.target, target.ats == Self.ntagATS else { return }
        let settings = try persistently("GetFileSettings") { () throws(TagError) -> NativeFileSettings? in
            try identify()
            guard version?.chip.model == .ntag424 else { return nil }
            // The application is selected then; whether its file stays so is not known.
            try ensureFileSelected()
            isFileSelected = false
            let answer = try DESFireCommands(exchange: commands.exchange).send(
                .getFileSettings, [Self.ndefFileNumber])
            return answer.sw == DESFireCommands.success ? NativeFileSettings(answer.data) : nil
        }
        guard let settings else { return }
        guard settings.dynamic == nil, [settings.rights.write, settings.rights.readWrite].contains(.free) else {
            throw .messageNeedsKey(isDynamic: settings.dynamic != nil)
        }
    }
}
