// The commands of an NTAG 424 DNA — NXP NT4H2421Gx, 10.5 to 10.8

public import SecureDynamicMessaging
public import TagTypes

extension NTAG424 {
    private static let uidLength = 7
    /// The number of bytes of plain data per answer.
    ///
    /// With this number, each answer fits a frame of any reader.
    private static let readLength = 48

    // MARK: Identity of the tag

    /// GetVersion: returns hardware, software and production information, 28 bytes.
    public mutating func version() throws(TagError) -> [UInt8] {
        let answer = try send(.getVersion, .mac)
        guard answer.count >= 28 else { throw Self.wrongAnswer(to: .getVersion, answer) }
        return answer
    }

    /// GetCardUID: returns the real UID, 7 bytes, even if the tag shows a random one.
    ///
    /// Needs a session.
    public mutating func cardUID() throws(TagError) -> [UInt8] {
        let answer = try send(.getCardUID, .full)
        guard answer.count == Self.uidLength else { throw Self.wrongAnswer(to: .getCardUID, answer) }
        return answer
    }

    // MARK: Keys

    /// GetKeyVersion: returns the version of a key, 0…4.
    public mutating func keyVersion(_ number: Int) throws(TagError) -> UInt8 {
        let answer = try send(.getKeyVersion, header: [UInt8(truncatingIfNeeded: number)], .mac)
        guard answer.count == 1 else { throw Self.wrongAnswer(to: .getKeyVersion, answer) }
        return answer[0]
    }

    /// ChangeKey: changes a key, in a session with key 0.
    ///
    /// Changing key 0 ends the session.
    ///
    /// - Parameters:
    ///   - number: the number of the key, 0…4.
    ///   - old: the current key. The tag checks it, unless key 0 is changed.
    ///   - new: the new key.
    ///   - version: the version of the new key, which ``keyVersion(_:)`` will return.
    /// - Throws: `TagError.commandFailed` with 911E if the old key is wrong.
    public mutating func changeKey(
        _ number: Int, from old: AES128Key, to new: AES128Key, version: UInt8
    ) throws(TagError) {
        let data =
            number == 0
            ? new.bytes + [version]
            : zip(new.bytes, old.bytes).map { $0 ^ $1 } + [version] + Self.checksum(new.bytes)
        _ = try send(
            .changeKey, header: [UInt8(truncatingIfNeeded: number)], data: data, .full, endsSession: number == 0)
    }

    /// CRC32NK, low byte first: the CRC of IEEE 802.3 without the final complement.
    static func checksum(_ bytes: [UInt8]) -> [UInt8] {
        var register: UInt32 = .max
        for byte in bytes {
            register ^= UInt32(byte)
            for _ in 0..<8 { register = register & 1 != 0 ? register >> 1 ^ 0xEDB8_8320 : register >> 1 }
        }
        return (0..<4).map { UInt8(truncatingIfNeeded: register >> (8 * $0)) }
    }

    // MARK: Files

    /// GetFileSettings: returns the settings of a file.
    public mutating func fileSettings(_ file: File) throws(TagError) -> NativeFileSettings {
        let answer = try send(.getFileSettings, header: [file.rawValue], .mac)
        guard let settings = NativeFileSettings(answer) else { throw Self.wrongAnswer(to: .getFileSettings, answer) }
        return settings
    }

    /// ChangeFileSettings: changes a file's settings.
    ///
    /// This needs a session with the required key, unless no key is required.
    public mutating func changeFileSettings(_ file: File, to settings: NativeFileSettings) throws(TagError) {
        _ = try send(
            .changeFileSettings, header: [file.rawValue], data: settings.changeData, session == nil ? .plain : .full)
    }

    /// GetFileCounters: returns the number of taps of the NDEF file since Secure Dynamic Messaging was turned on.
    ///
    /// - Parameter settings: the settings of the file. If they name a key, that key must be the session's key.
    /// - Returns: the number of taps. The counter has 3 bytes.
    /// - Throws: `TagError.commandFailed` if the session may not read the counter; `TagError.protocolViolation`.
    public mutating func tapCounter(_ settings: DynamicSettings) throws(TagError) -> Int {
        let isProtected = session.map { settings.counterRetrieval == .key($0.keyNumber) } ?? false
        let answer = try send(.getFileCounters, header: [File.ndef.rawValue], isProtected ? .full : .plain)
        guard answer.count >= 3 else { throw Self.wrongAnswer(to: .getFileCounters, answer) }
        return Self.number(answer.prefix(3))
    }

    /// ReadData, in pieces: returns the stored content in a session, or the mirrored content without a session.
    ///
    /// `count` bytes are read from the start of the file. The file's settings define how the data is protected.
    ///
    /// - Throws: `TagError.commandFailed` if the file may not be read; `TagError.protocolViolation` if a piece has the
    ///   wrong length.
    public mutating func read(
        _ file: File, count: Int, _ settings: NativeFileSettings
    ) throws(TagError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count < count {
            let length = min(count - bytes.count, Self.readLength)
            let header = [file.rawValue] + Self.bytes(of: bytes.count) + Self.bytes(of: length)
            let mode = protection(settings, settings.rights.read)
            let piece = try send(.readData, header: header, mode)
            guard piece.count == length else { throw Self.wrongAnswer(to: .readData, piece) }
            bytes += piece
        }
        return bytes
    }

    /// WriteData: writes bytes in one command, into which all of them must fit.
    ///
    /// The offset in the file is in bytes. The file's settings define how the data is protected.
    ///
    /// - Throws: `TagError.commandFailed` if the file may not be written; `TagError.protocolViolation`.
    public mutating func write(
        _ bytes: [UInt8], to file: File, at offset: Int = 0, _ settings: NativeFileSettings
    ) throws(TagError) {
        let header = [file.rawValue] + Self.bytes(of: offset) + Self.bytes(of: bytes.count)
        _ = try send(.writeData, header: header, data: bytes, protection(settings, settings.rights.write))
    }

    /// Returns the file's protection if the session's key grants this access, otherwise plain — 8.2.3.3.
    private func protection(
        _ settings: NativeFileSettings, _ right: FileAccess
    ) -> NativeFileSettings.Communication {
        guard let session else { return .plain }
        let own = FileAccess.key(session.keyNumber)
        return right == own || settings.rights.readWrite == own ? settings.communication : .plain
    }

    /// Returns a number as three bytes, low byte first.
    private static func bytes(of number: Int) -> [UInt8] {
        (0..<3).map { UInt8(truncatingIfNeeded: number >> (8 * $0)) }
    }

    private static func number(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
