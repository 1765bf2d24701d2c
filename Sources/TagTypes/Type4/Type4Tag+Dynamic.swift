// Messages that an NTAG 424 DNA fills in itself, or that require a key for writing — NXP NT4H2421Gx, 9.3, 10.7.2

import Chips
import ReaderInterface

extension Type4Tag {
    /// The FileNo of the capability container and of the NDEF file — NT4H2421Gx, 8.2.3; AN11004 for a DESFire.
    private static let containerFileNumber: UInt8 = 0x01
    private static let ndefFileNumber: UInt8 = 0x02
    /// The FileNo and the identifier of the proprietary file of an NTAG 424 DNA — NT4H2421Gx, 8.2.3.
    private static let proprietaryFile: (number: UInt8, identifier: UInt16) = (0x03, 0xE105)
    /// The answers to select of an NTAG 4xx DNA: the real one, and the one that a PC/SC reader builds from the card's
    /// historical bytes.
    ///
    /// A DESFire has the same historical bytes and also supports GetVersion.
    private static let ntagAnswers = [ntagATS, [0x00, 0x80]]

    /// Checks that an NTAG 424 DNA returns its message as written and lets anyone write it.
    ///
    /// Other tags pass.
    ///
    /// - Throws: ``TagError/messageNeedsKey(isDynamic:)``; ``TagError/readOnly(reason:mayBeRestored:)`` if writing is
    ///   not allowed with any key.
    package func requirePlainMessage() throws(TagError) {
        // Other cards may take GetVersion for the first part of a chained command.
        guard mayBeNTAG else { return }
        let rights = try persistently("GetFileSettings") { () throws(TagError) -> MessageRights? in
            try identify()
            return version?.chip.model == .ntag424 ? try ndefFileRights() : nil
        }
        guard let rights, !rights.isPlain else { return }
        if rights.keys == [] { throw .readOnly(reason: "its file settings do not allow writing") }
        throw .messageNeedsKey(isDynamic: rights.isDynamic)
    }

    /// Checks that anyone may write the message of an NTAG 424 DNA or DESFire, and that the tag returns it as written.
    ///
    /// Other tags pass.
    ///
    /// - Throws: what ``requirePlainMessage()`` throws; ``TagError/readOnly(reason:mayBeRestored:)`` for a DESFire
    ///   whose NDEF file needs a key, because DESFire keys are not supported.
    package func requireOpenMessage() throws(TagError) {
        try requirePlainMessage()
        guard try isDESFire(), let rights = try desfireRights(), !rights.isPlain else { return }
        throw .readOnly(reason: rights.reason ?? "its file settings do not allow writing")
    }

    /// Returns the write access to the message of an NTAG 4xx DNA or a DESFire.
    ///
    /// The result is `nil` for other tags, and if the chip does not report the access. The request costs one exchange,
    /// after which the NDEF file must be selected again.
    /// - Throws: ``TagError/notNDEF(reason:hasForeignDirectory:)``; connection errors.
    package func messageRights() throws(TagError) -> MessageRights? {
        if try isDESFire() { return try desfireRights() }
        guard try reportsRights() else { return nil }
        return try persistently("GetFileSettings") { () throws(TagError) in try ndefFileRights() }
    }

    /// Returns the write access to the capability container of an NTAG 4xx DNA or a DESFire.
    ///
    /// The result is `nil` for other tags, and if the chip does not report the access. The NDEF file must be selected
    /// again afterwards.
    /// - Throws: ``TagError/notNDEF(reason:hasForeignDirectory:)``; connection errors.
    func containerRights() throws(TagError) -> MessageRights? {
        guard try reportsRights() else { return nil }
        return try persistently("GetFileSettings") { () throws(TagError) in
            let length = try presentFile().container.cclen
            let settings = try fileSettings(Self.containerFileNumber)
            // A smaller file is not the capability container.
            return settings.flatMap { $0.size ?? 0 >= length ? MessageRights($0) : nil }
        }
    }

    /// Whether the card is an NTAG 4xx DNA or a DESFire.
    private func reportsRights() throws(TagError) -> Bool {
        if try isDESFire() { return true }
        guard mayBeNTAG, case .nfcA(let target) = channel.target else { return false }
        // If a PC/SC reader hides the answer to select, only GetVersion can identify the chip.
        if target.ats == Self.ntagATS { return true }
        return try isNTAG424
    }

    /// Whether the card is a DESFire with an NDEF application.
    ///
    /// The answer to select shows this. GetVersion is sent only if a PC/SC reader hides that answer.
    private func isDESFire() throws(TagError) -> Bool {
        guard case .nfcA(let target) = channel.target else { return false }
        if target.ats == Self.desfireATS { return true }
        guard mayBeNTAG, target.ats != Self.ntagATS else { return false }
        try persistently("GetVersion") { () throws(TagError) in try identify() }
        return version?.family == .desfire
    }

    /// Returns the write access to the NDEF file of a DESFire, or `nil` if the card does not report it without a key.
    ///
    /// A file whose size differs from that in the capability container is not the NDEF file.
    private func desfireRights() throws(TagError) -> MessageRights? {
        try persistently("GetFileSettings") { () throws(TagError) in
            let size = try presentFile().container.file.size
            guard let settings = try fileSettings(Self.ndefFileNumber), settings.size == size else { return nil }
            return MessageRights(settings)
        }
    }

    /// Adds the rights of the files of the NDEF application to a memory map, as far as the chip reports them without a
    /// key.
    ///
    /// - Returns: the rights to the message, or `nil` if they are not known.
    /// - Throws: ``TagError/notNDEF(reason:hasForeignDirectory:)``; connection errors.
    package func addRights(to map: inout MemoryMap) throws(TagError) -> MessageRights? {
        let numbers = [Self.containerFileNumber, Self.ndefFileNumber, Self.proprietaryFile.number]
        // The application without an identifier is that of an NTAG 4xx DNA.
        if let files = map.applications.first(where: { $0.identifier == nil })?.files {
            let settings = numbers.map { number in files.first { $0.number == number }?.settings }
            return Self.addRights(settings, to: &map)
        }
        guard try isDESFire() else { return nil }
        let settings = try persistently("GetFileSettings") { () throws(TagError) -> [NativeFileSettings?] in
            let container = try presentFile().container
            let own = try fileSettings(Self.containerFileNumber).flatMap { $0.size ?? 0 >= container.cclen ? $0 : nil }
            let ndef = try fileSettings(Self.ndefFileNumber).flatMap { $0.size == container.file.size ? $0 : nil }
            return [own, ndef, nil]
        }
        return Self.addRights(settings, to: &map)
    }

    /// Adds the rights in the given settings to a memory map.
    ///
    /// The settings are those of the capability container, of the NDEF file, and of the proprietary file of an NTAG 424
    /// DNA.
    ///
    /// - Returns: the rights to the message, or `nil` if they are not known.
    private static func addRights(_ settings: [NativeFileSettings?], to map: inout MemoryMap) -> MessageRights? {
        for index in map.files.indices {
            let file = map.files[index]
            switch file.kind {
            case "CC": map.files[index].rights = settings[0]?.rights
            case "proprietary":
                if file.identifier == proprietaryFile.identifier { map.files[index].rights = settings[2]?.rights }
            default: map.files[index].rights = settings[1]?.rights
            }
        }
        return settings[1].map(MessageRights.init)
    }

    /// Whether the answer to select may be that of an NTAG 4xx DNA.
    private var mayBeNTAG: Bool {
        if case .nfcA(let target) = channel.target { Self.ntagAnswers.contains(target.ats) } else { false }
    }

    private func ndefFileRights() throws(TagError) -> MessageRights? {
        try fileSettings(Self.ndefFileNumber).map(MessageRights.init)
    }

    private func fileSettings(_ number: UInt8) throws(TagError) -> NativeFileSettings? {
        // The application must be selected. It is not known whether the file stays selected after GetFileSettings.
        try ensureFileSelected()
        noteOtherCommand()
        let answer = try DESFireCommands(exchange: commands.exchange).send(.getFileSettings, [number])
        return answer.sw == DESFireCommands.success ? NativeFileSettings(answer.data) : nil
    }
}
