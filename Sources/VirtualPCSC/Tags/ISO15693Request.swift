// A parsed request from the reader — ISO/IEC 15693-3, 7.3

/// The flags, command code, UID and parameters of a request without its CRC.
struct ISO15693Request {
    /// The request flags, b1 to b8.
    enum Flag {
        static let inventory: UInt8 = 0x04
        static let protocolExtension: UInt8 = 0x08
        /// Selects the tag in the SELECTED state.
        ///
        /// The flag has this meaning only if the inventory flag is 0.
        static let select: UInt8 = 0x10
        static let address: UInt8 = 0x20
        /// Announces an AFI.
        ///
        /// The flag has this meaning only if the inventory flag is 1.
        static let afi: UInt8 = 0x10
        static let oneSlot: UInt8 = 0x20
        static let option: UInt8 = 0x40
        static let reserved: UInt8 = 0x80
    }

    /// The command codes — 10.2.
    ///
    /// The codes from 30 on are from Amd 4 of the standard.
    enum Command {
        static let inventory: UInt8 = 0x01
        static let stayQuiet: UInt8 = 0x02
        static let readSingle: UInt8 = 0x20
        static let writeSingle: UInt8 = 0x21
        static let lockBlock: UInt8 = 0x22
        static let readMultiple: UInt8 = 0x23
        static let writeMultiple: UInt8 = 0x24
        static let select: UInt8 = 0x25
        static let resetToReady: UInt8 = 0x26
        static let writeAFI: UInt8 = 0x27
        static let lockAFI: UInt8 = 0x28
        static let writeDSFID: UInt8 = 0x29
        static let lockDSFID: UInt8 = 0x2A
        static let systemInformation: UInt8 = 0x2B
        static let securityStatus: UInt8 = 0x2C
        static let extendedReadSingle: UInt8 = 0x30
        static let extendedWriteSingle: UInt8 = 0x31
        static let extendedLockBlock: UInt8 = 0x32
        static let extendedReadMultiple: UInt8 = 0x33
        static let extendedWriteMultiple: UInt8 = 0x34
        static let extendedSystemInformation: UInt8 = 0x3B
        static let extendedSecurityStatus: UInt8 = 0x3C
    }

    private static let uidSize = 8
    private static let customCommands: ClosedRange<UInt8> = 0xA0...0xDF

    let flags: UInt8
    let command: UInt8
    /// The IC manufacturer code of a custom command, which comes before the UID — 10.5; nil for other commands.
    let manufacturer: UInt8?
    /// The UID with the byte E0 first; nil if the request has none.
    let uid: [UInt8]?
    /// The bytes after the UID.
    ///
    /// In 3B, the request field is first.
    let parameters: [UInt8]

    /// Parses a frame, or returns nil if the frame is too short for its flags.
    init?(_ frame: [UInt8]) {
        guard frame.count >= 2 else { return nil }
        (flags, command) = (frame[0], frame[1])
        var rest = frame.dropFirst(2)
        let isInventory = flags & Flag.inventory != 0
        if Self.customCommands.contains(command) {
            guard let code = rest.popFirst() else { return nil }
            manufacturer = code
        } else {
            manufacturer = nil
        }
        // In 3B too, the request field comes before the UID, as in ST's RFAL and Android's NFC stack.
        let field = command == Command.extendedSystemInformation ? rest.popFirst() : nil
        if !isInventory, flags & Flag.address != 0 {
            guard rest.count >= Self.uidSize else { return nil }
            uid = rest.prefix(Self.uidSize).reversed()
            rest = rest.dropFirst(Self.uidSize)
        } else {
            uid = nil
        }
        parameters = (field.map { [$0] } ?? []) + rest
    }

    init(flags: UInt8, command: UInt8, uid: [UInt8]?, parameters: [UInt8]) {
        (self.flags, self.command, manufacturer, self.uid, self.parameters) = (flags, command, nil, uid, parameters)
    }

    func has(_ flag: UInt8) -> Bool { flags & flag != 0 }

    var isInventory: Bool { has(Flag.inventory) }

    /// Whether the request counts as a tag command for faults: all requests except Inventory and Stay Quiet do.
    var isTagCommand: Bool { !isInventory && command != Command.stayQuiet }

    /// Whether the request changes the memory, as writes and locks in the standard and in custom commands do.
    var isWrite: Bool {
        switch command {
        // NXP's custom commands, except A5, AB, B2, B3, B8 and BD; ST's A1 and B1.
        case 0xA1...0xA4, 0xA6, 0xA7, 0xB1, 0xB4...0xB7, 0xB9...0xBB: true
        case Command.writeSingle, Command.lockBlock, Command.writeMultiple, Command.writeAFI, Command.lockAFI,
            Command.writeDSFID, Command.lockDSFID, Command.extendedWriteSingle, Command.extendedLockBlock,
            Command.extendedWriteMultiple:
            true
        default: false
        }
    }

    /// Whether a tag that supports the option flag answers only after a separate EOF — 10.4.2 and others.
    var waitsForEOF: Bool { isWrite && manufacturer == nil && has(Flag.option) }
}

/// Error codes in responses — ISO/IEC 15693-3, 7.4.2.
enum ISO15693Error: UInt8, Error {
    case notSupported = 0x01
    case notRecognised = 0x02
    case optionNotSupported = 0x03
    case unknown = 0x0F
    case noSuchBlock = 0x10
    case alreadyLocked = 0x11
    case locked = 0x12
    case notProgrammed = 0x13
    case notLocked = 0x14
    /// The block is protected from reading (Amd 4 of the standard, and ST's data sheets).
    case protected = 0x15
}
