// Keys and applications of a MIFARE DESFire — NXP MF3ICDx21_41_81, security and card level commands

extension DESFireCard {
    private typealias Setting = DESFireApplication.Setting

    /// Returns the cipher that bits 7 and 6 of the key format select.
    private static func algorithm(_ keyFormat: UInt8) throws(DESFireStatus) -> BlockCipher.Algorithm {
        switch keyFormat >> 6 {
        case 0: return .tripleDES
        case 2: return .aes
        default: throw .parameterError
        }
    }

    private func allows(_ setting: UInt8) throws(DESFireStatus) {
        guard application.keySettings & setting != 0 || isMaster else { throw .authenticationError }
    }

    // MARK: Keys

    func keySettings(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
        try expect(data.isEmpty)
        try allows(Setting.freeListing)
        return [application.keySettings, application.keyFormat]
    }

    func keyVersion(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
        try expect(data.count == 1)
        guard application.keys.indices.contains(Int(data[0])) else { throw .noSuchKey }
        return [application.keys[Int(data[0])].version]
    }

    /// Executes ChangeKey.
    ///
    /// The data consists of the key number and the enciphered new key. Unless this is the session's own key, the new
    /// key is XORed with the old key.
    /// - Returns: whether the session's own key was changed.
    mutating func changeKey(_ data: [UInt8], _ session: inout DESFireSession) throws(DESFireStatus) -> Bool {
        try expect(data.count > 1)
        // At the card level, the upper two bits of the key number select the cipher of the new master key.
        let number = data[0] & 0x3F
        guard application.keys.indices.contains(Int(number)) else { throw .noSuchKey }
        let old = application.keys[Int(number)]
        let algorithm = application.isCardLevel ? try Self.algorithm(data[0]) : old.cipher.algorithm
        try checkChange(of: number, session)
        let isOwnKey = number == session.keyNumber
        let versionSize = algorithm == .aes ? 1 : 0
        let checksumSize = session.authentication == .legacy ? 2 : 4
        let (content, checksum) = try session.decipher(
            Array(data.dropFirst()), after: [0xC4, data[0]], size: BlockCipher.keySize + versionSize,
            extra: isOwnKey ? 0 : checksumSize)
        var key = Array(content.prefix(BlockCipher.keySize))
        if !isOwnKey {
            key = zip(key, old.cipher.key).map { $0 ^ $1 }
            guard session.checksum(key, after: []) == checksum else { throw .integrityError }
        }
        // The parity bits of a DES key contain its version.
        let version =
            content.last.flatMap { versionSize == 1 ? $0 : nil } ?? key.prefix(8).reduce(0) { $0 << 1 | $1 & 1 }
        application.keys[Int(number)] = DESFireKey(
            cipher: BlockCipher(algorithm: algorithm, key: key), version: version)
        return isOwnKey
    }

    private func checkChange(of number: UInt8, _ session: DESFireSession) throws(DESFireStatus) {
        if number == 0 {
            guard application.keySettings & Setting.masterKeyChangeable != 0 else { throw .permissionDenied }
            guard isMaster else { throw .authenticationError }
            return
        }
        let right = application.keySettings >> 4
        guard right != DESFireFile.never else { throw .permissionDenied }
        // With right E, a key can be changed only in a session with that same key.
        guard session.keyNumber == (right == DESFireFile.free ? number : right) else { throw .authenticationError }
    }

    // MARK: Applications

    mutating func selectApplication(_ data: [UInt8]) throws(DESFireStatus) {
        try expect(data.count == 3)
        guard let index = memory.applications.firstIndex(where: { $0.identifier == data }) else {
            throw .applicationNotFound
        }
        select(index)
    }

    func applicationIdentifiers(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
        try expect(data.isEmpty)
        guard application.isCardLevel else { throw .permissionDenied }
        try allows(Setting.freeListing)
        return memory.applications.dropFirst().flatMap(\.identifier)
    }

    /// Creates an application.
    ///
    /// The data consists of the AID, the key settings and the key format. The file identifier (low byte first) and the
    /// DF name may follow.
    mutating func createApplication(_ data: [UInt8]) throws(DESFireStatus) {
        try expect(data.count == 5 || (7...23).contains(data.count))
        guard application.isCardLevel else { throw .permissionDenied }
        try allows(Setting.freeCreation)
        let identifier = Array(data[..<3])
        let algorithm = try Self.algorithm(data[4])
        guard data[4] & 0x10 == 0, (1...14).contains(data[4] & 0x0F) else { throw .parameterError }
        let isoIdentifier = data.count > 5 ? [data[6], data[5]] : nil
        let name = Array(data.dropFirst(7))
        guard memory.applications.count <= DESFireMemory.maximumApplications else { throw .countError }
        guard
            !memory.applications.contains(where: {
                $0.identifier == identifier || isoIdentifier != nil && $0.isoIdentifier == isoIdentifier
                    || !name.isEmpty && $0.name == name
            })
        else { throw .duplicate }
        guard memory.hasRoomForApplication() else { throw .outOfMemory }
        memory.applications.append(
            DESFireApplication(
                identifier: identifier, keySettings: data[3], keyFormat: data[4], isoIdentifier: isoIdentifier,
                name: name, keys: [DESFireKey](repeating: .blank(algorithm), count: Int(data[4] & 0x0F))))
    }

    /// Deletes an application.
    ///
    /// This requires the card master key. If creating and deleting applications is free, the application's own master
    /// key is also accepted.
    mutating func deleteApplication(_ data: [UInt8]) throws(DESFireStatus) {
        try expect(data.count == 3)
        guard data != DESFireApplication.cardLevel else { throw .permissionDenied }
        guard let index = memory.applications.firstIndex(where: { $0.identifier == data }) else {
            throw .applicationNotFound
        }
        let isFree = memory.applications[0].keySettings & Setting.freeCreation != 0
        guard isMaster, selected == 0 || selected == index && isFree else { throw .authenticationError }
        let isOwn = selected == index
        memory.applications.remove(at: index)
        if isOwn { select(0) }
    }

    mutating func format(_ data: [UInt8]) throws(DESFireStatus) {
        try expect(data.isEmpty)
        guard application.isCardLevel else { throw .permissionDenied }
        guard isMaster else { throw .authenticationError }
        memory.applications.removeSubrange(1...)
    }

    func freeMemory(_ data: [UInt8]) throws(DESFireStatus) -> [UInt8] {
        try expect(data.isEmpty)
        return Self.bytes(of: memory.freeSize)
    }

    /// Encodes a number as three bytes, low byte first.
    static func bytes(of number: Int) -> [UInt8] { [0, 8, 16].map { UInt8(truncatingIfNeeded: number >> $0) } }

    static func number(_ bytes: some BidirectionalCollection<UInt8>) -> Int {
        bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
    }
}
