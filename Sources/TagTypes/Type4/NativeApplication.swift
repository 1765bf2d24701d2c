// The applications of a DESFire, and the application of an NTAG 424 DNA — NXP MF3ICDx21_41_81, NT4H2421Gx

import Chips

extension MemoryMap {
    /// An application of a DESFire or an NTAG 4xx DNA, or the card itself, as far as it can be seen without a key.
    public struct Application: Hashable, Sendable {
        /// A file of an application.
        public struct File: Hashable, Sendable {
            /// The file number, FileNo.
            public var number: UInt8
            /// The file settings, or `nil` if the card does not report them without a key.
            public var settings: NativeFileSettings?
        }

        /// The cipher of the keys.
        public enum KeyType: Hashable, Sendable {
            /// DES, or triple DES with two keys.
            case des
            /// Triple DES with three keys.
            case tripleDES3K
            /// AES-128.
            case aes
        }

        /// The application identifier (AID, 3 bytes).
        ///
        /// It is 0 for the card itself, and `nil` for the single application of an NTAG 4xx DNA.
        public var identifier: UInt32?
        /// The key settings byte, or `nil` if the card does not report it.
        public var keySettings: UInt8?
        /// The number of keys, or `nil` if the card does not report it.
        public var keyCount: Int?
        /// The cipher of the keys, or `nil` if the card does not report it.
        public var keyType: KeyType?
        /// The versions of the keys, starting with key 0.
        ///
        /// The list is empty if the versions were not requested.
        public var keyVersions: [UInt8] = []
        /// The files in the order in which the card lists them, or `nil` if it lists them only after authentication.
        public var files: [File]?

        /// Whether the master key may be changed: bit 0 of the key settings (from memory); `nil` if these are not
        /// known.
        public var canChangeMasterKey: Bool? { keySettings.map { $0 & 0x01 != 0 } }
        /// Whether files or applications can be listed without the master key: bit 1 of the key settings; `nil` if
        /// these are not known.
        public var listsFreely: Bool? { keySettings.map { $0 & 0x02 != 0 } }
        /// Whether files or applications can be created without the master key: bit 2 of the key settings; `nil` if
        /// these are not known.
        public var createsFreely: Bool? { keySettings.map { $0 & 0x04 != 0 } }
        /// Whether the key settings can be changed: bit 3 (from memory); `nil` if they are not known.
        public var canChangeSettings: Bool? { keySettings.map { $0 & 0x08 != 0 } }
    }
}

extension Type4Tag {
    /// The maximum number of applications that are accepted from one answer to GetApplicationIDs.
    private static let mostApplications = 128
    private static let mostFiles = 32

    /// Lists the applications and files of a DESFire or an NTAG 4xx DNA, with the settings that the card reports
    /// without a key.
    ///
    /// For other cards, the list is empty.
    ///
    /// - Returns: the applications, with the card itself first, and the number of free bytes, which is `nil` if the
    ///   card does not report it.
    /// - Throws: a `TagError` if the connection fails. Information that the card refuses to report is left out.
    public func nativeApplications() throws(TagError) -> (applications: [MemoryMap.Application], freeMemory: Int?) {
        try persistently("GetVersion") { () throws(TagError) in try identify() }
        switch version?.family {
        case .desfire?, .desfireEV0?: break
        case .fixed? where version?.chip.model == .ntag424:
            return ([try directly("GetFileSettings") { () throws(TagError) in try ntagApplication() }], nil)
        default: return ([], nil)
        }
        return try directly("GetApplicationIDs") { () throws(TagError) in
            let card = DESFireCommands(exchange: commands.exchange)
            try card.selectApplication(0)
            var applications = [try application(0, card)]
            let memory = try card.send(.freeMemory)
            let isTold = memory.sw == DESFireCommands.success && memory.data.count == 3
            let list = try card.send(.getApplicationIDs)
            if list.sw == DESFireCommands.success {
                for start in stride(from: 0, to: list.data.count - 2, by: 3).prefix(Self.mostApplications) {
                    let identifier = UInt32(truncatingIfNeeded: list.data[start..<start + 3].littleEndian)
                    guard
                        try card.send(.selectApplication, DESFireCommands.littleEndian(Int(identifier), 3)).sw
                            == DESFireCommands.success
                    else { continue }
                    applications.append(try application(identifier, card))
                }
            }
            return (applications, isTold ? memory.data.littleEndian : nil)
        }
    }

    /// Returns what the card reports about the selected application.
    private func application(
        _ identifier: UInt32, _ card: DESFireCommands
    ) throws(TagError) -> MemoryMap.Application {
        var application = MemoryMap.Application(identifier: identifier)
        let settings = try card.send(.getKeySettings)
        if settings.sw == DESFireCommands.success, settings.data.count >= 2 {
            application.keySettings = settings.data[0]
            application.keyCount = Int(settings.data[1] & 0x0F)
            // The key type is in bits 7 and 6 (from memory).
            application.keyType = [.des, .tripleDES3K, .aes, nil][Int(settings.data[1] >> 6)]
        }
        guard identifier != 0 else { return application }
        let list = try card.send(.getFileIDs)
        guard list.sw == DESFireCommands.success else { return application }
        application.files = []
        for number in list.data.prefix(Self.mostFiles) {
            let answer = try card.send(.getFileSettings, [number])
            let settings = answer.sw == DESFireCommands.success ? NativeFileSettings(answer.data) : nil
            application.files?.append(MemoryMap.Application.File(number: number, settings: settings))
        }
        return application
    }

    /// Returns the application of an NTAG 424 DNA, in which the files and the number of keys are fixed.
    private func ntagApplication() throws(TagError) -> MemoryMap.Application {
        let card = DESFireCommands(exchange: commands.exchange)
        guard try commands.selectNDEFApplication() == .success else { return MemoryMap.Application() }
        var application = MemoryMap.Application(keyCount: 5, keyType: .aes, files: [])
        for number in 1...3 as ClosedRange<UInt8> {
            let answer = try card.send(.getFileSettings, [number])
            let settings = answer.sw == DESFireCommands.success ? NativeFileSettings(answer.data) : nil
            application.files?.append(MemoryMap.Application.File(number: number, settings: settings))
        }
        for number in 0..<5 as Range<UInt8> {
            let answer = try card.send(.getKeyVersion, [number])
            guard answer.sw == DESFireCommands.success, let version = answer.data.first else { break }
            application.keyVersions.append(version)
        }
        return application
    }
}
