// MIFARE DESFire native commands in ISO/IEC 7816-4 wrapping — NXP MF3ICDx21_41_81 (EV1), NT4H2421Gx (NTAG 424 DNA)

import Hexadecimal

/// The native commands that nfctool sends to a DESFire or an NTAG 4xx DNA.
///
/// None of them requires a key.
///
/// Format: CLA `90`, the native command as INS, P1 P2 `0000`, its parameters as data, Le `00`. The status of the answer
/// is SW2, after SW1 `91`. Numbers are little-endian.
struct DESFireCommands {
    enum Instruction: UInt8 {
        case getVersion = 0x60
        case selectApplication = 0x5A
        case getKeySettings = 0x45
        case getKeyVersion = 0x64
        case getApplicationIDs = 0x6A
        case freeMemory = 0x6E
        case createApplication = 0xCA
        case getFileIDs = 0x6F
        case getFileSettings = 0xF5
        case createStandardDataFile = 0xCD
        case changeFileSettings = 0x5F
        case readData = 0xBD
        case writeData = 0x3D
    }

    /// The settings of a standard data file.
    struct FileSettings: Hashable, Sendable {
        /// The first two bytes of the settings: the type 00 (standard data) and the communication mode 00 (plain).
        private static let plainStandardData: [UInt8] = [0x00, 0x00]

        /// The rights to read, to write, to read and write, and to change the settings, with one nibble each; E is
        /// free, F is never.
        let accessRights: UInt16
        let size: Int

        static let free: UInt16 = 0xEEEE
        static let onlyReading: UInt16 = 0xEFFF

        /// Whether anyone may change the access rights, without a key and without encryption.
        var isChangeable: Bool { accessRights & 0x000F == 0x000E }

        init?(_ answer: [UInt8]) {
            guard answer.count == 7, answer.starts(with: Self.plainStandardData) else { return nil }
            accessRights = UInt16(answer[2]) | UInt16(answer[3]) << 8
            size = Int(answer[4]) | Int(answer[5]) << 8 | Int(answer[6]) << 16
        }
    }

    private static let cla: UInt8 = 0x90
    private static let additionalFrame: UInt8 = 0xAF
    /// The maximum number of frames in one answer.
    ///
    /// An answer with 84 application identifiers needs five.
    private static let maxFrames = 16
    static let success = StatusWord(0x9100)
    static let outOfMemory = StatusWord(0x910E)

    let exchange: APDUExchange

    /// Sends a command, and collects its answer from additional frames if needed.
    func send(_ instruction: Instruction, _ data: [UInt8] = []) throws(TagError) -> ResponseAPDU {
        var command = CommandAPDU(cla: Self.cla, ins: instruction.rawValue, p1: 0, p2: 0, data: data, ne: 256)
        var collected: [UInt8] = []
        for _ in 0..<Self.maxFrames {
            let answer = try exchange.send(command)
            collected += answer.data
            guard answer.sw.sw1 == Self.success.sw1, answer.sw.sw2 == Self.additionalFrame else {
                return ResponseAPDU(data: collected, sw: answer.sw)
            }
            command = CommandAPDU(cla: Self.cla, ins: Self.additionalFrame, p1: 0, p2: 0, ne: 256)
        }
        throw .protocolViolation(
            field: "the chain of frames", found: "longer than \(Self.maxFrames) frames", expected: "the last frame",
            offset: nil)
    }

    /// Sends a command that must succeed, and returns its data.
    func demand(_ instruction: Instruction, _ data: [UInt8] = []) throws(TagError) -> [UInt8] {
        let answer = try send(instruction, data)
        guard answer.sw == Self.success else {
            throw .commandFailed(command: instruction.name, offset: nil, sw: answer.sw.rawValue)
        }
        return answer.data
    }

    func selectApplication(_ identifier: UInt32) throws(TagError) {
        _ = try demand(.selectApplication, Self.littleEndian(Int(identifier), 3))
    }

    /// Returns the number of bytes that are free for files and applications.
    func freeMemory() throws(TagError) -> Int {
        let answer = try demand(.freeMemory)
        guard answer.count == 3 else {
            throw .protocolViolation(
                field: "the answer to FreeMemory", found: "\(ByteCount(answer.count))", expected: "3 bytes", offset: nil
            )
        }
        return Int(answer[0]) | Int(answer[1]) << 8 | Int(answer[2]) << 16
    }

    /// Returns the settings of a file, or `nil` if it does not exist or is not a plain standard data file.
    func fileSettings(_ file: UInt8) throws(TagError) -> FileSettings? {
        let answer = try send(.getFileSettings, [file])
        return answer.sw == Self.success ? FileSettings(answer.data) : nil
    }

    /// Creates a plain, freely accessible file with CreateStdDataFile.
    ///
    /// - Returns: the status. The function does not throw for a status other than success, for example if there is not
    ///   enough memory.
    func createFile(_ file: UInt8, identifier: UInt16, size: Int) throws(TagError) -> StatusWord {
        try send(
            .createStandardDataFile,
            [file] + Self.littleEndian(Int(identifier), 2) + [0x00]
                + Self.littleEndian(Int(FileSettings.free), 2) + Self.littleEndian(size, 3)
        ).sw
    }

    func readData(_ file: UInt8, from offset: Int = 0, count: Int) throws(TagError) -> [UInt8] {
        try demand(.readData, [file] + Self.littleEndian(offset, 3) + Self.littleEndian(count, 3))
    }

    /// Writes to a file with WriteData, and verifies the data.
    ///
    /// The data must fit into one frame.
    func writeData(_ file: UInt8, _ bytes: [UInt8], at offset: Int = 0) throws(TagError) {
        let place = Self.littleEndian(offset, 3) + Self.littleEndian(bytes.count, 3)
        _ = try demand(.writeData, [file] + place + bytes)
        guard try readData(file, from: offset, count: bytes.count) == bytes else {
            throw .commandFailed(command: Instruction.writeData.name, offset: offset, sw: nil)
        }
    }

    /// Changes the access rights of a file with ChangeFileSettings, and verifies them.
    ///
    /// The settings must be changeable without a key.
    func changeAccessRights(_ file: UInt8, to rights: UInt16) throws(TagError) {
        _ = try demand(.changeFileSettings, [file, 0x00] + Self.littleEndian(Int(rights), 2))
        guard try fileSettings(file)?.accessRights == rights else {
            throw .commandFailed(command: Instruction.changeFileSettings.name, offset: nil, sw: nil)
        }
    }

    static func littleEndian(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}

extension DESFireCommands.Instruction {
    var name: String {
        switch self {
        case .getVersion: "GetVersion"
        case .selectApplication: "SelectApplication"
        case .getKeySettings: "GetKeySettings"
        case .getKeyVersion: "GetKeyVersion"
        case .getApplicationIDs: "GetApplicationIDs"
        case .freeMemory: "FreeMemory"
        case .createApplication: "CreateApplication"
        case .getFileIDs: "GetFileIDs"
        case .getFileSettings: "GetFileSettings"
        case .createStandardDataFile: "CreateStdDataFile"
        case .changeFileSettings: "ChangeFileSettings"
        case .readData: "ReadData"
        case .writeData: "WriteData"
        }
    }
}
