// An ISO 15693 request as a frame — ISO/IEC 15693-3, Request Format and Commands

import Hexadecimal

/// A request to one tag: flags, command code, UID, parameters.
///
/// ```swift
/// let command = ISO15693Command(.readSingleBlock, [0x04])
/// command.frame(to: uid)      // 22 20, the UID with its last byte first, 04
/// ```
/// The request is always addressed. Without a UID, a second tag in the field would also carry it out, and some chips
/// would refuse it without an answer.
public struct ISO15693Command: Hashable, Sendable {
    /// The request flags, with their meanings while the inventory flag is clear.
    public struct Flags: OptionSet, Hashable, Sendable {
        /// The flag bits.
        public let rawValue: UInt8

        /// Creates a set of these bits.
        public init(rawValue: UInt8) { self.rawValue = rawValue }

        /// Bit 1: the tag answers with two subcarriers.
        public static let twoSubcarriers = Flags(rawValue: 0x01)
        /// Bit 2: the tag answers at the high data rate.
        public static let highDataRate = Flags(rawValue: 0x02)
        /// Bit 3: the request is an inventory, which changes the meaning of the bits after it.
        public static let inventory = Flags(rawValue: 0x04)
        /// Bit 4: the format is extended.
        ///
        /// With this flag, older ST chips with more than 256 blocks expect 2-byte block numbers.
        public static let protocolExtension = Flags(rawValue: 0x08)
        /// Bit 5: only the selected tag answers.
        public static let select = Flags(rawValue: 0x10)
        /// Bit 6: the request has a UID.
        public static let address = Flags(rawValue: 0x20)
        /// Bit 7: the meaning depends on the command.
        public static let option = Flags(rawValue: 0x40)
    }

    /// The codes of the commands that NDEF needs, and of one that explains why an ICODE refuses a write.
    ///
    /// The standard makes only Inventory and Stay Quiet mandatory.
    public enum Code: UInt8, Hashable, Sendable {
        /// Read Single Block.
        case readSingleBlock = 0x20
        /// Write Single Block.
        case writeSingleBlock = 0x21
        /// Lock Block.
        case lockBlock = 0x22
        /// Read Multiple Blocks.
        case readMultipleBlocks = 0x23
        /// Get System Information.
        case getSystemInformation = 0x2B
        /// Get Multiple Block Security Status.
        case getMultipleBlockSecurityStatus = 0x2C
        /// Extended Read Single Block.
        case extendedReadSingleBlock = 0x30
        /// Extended Write Single Block.
        case extendedWriteSingleBlock = 0x31
        /// Extended Lock Block.
        case extendedLockBlock = 0x32
        /// Extended Read Multiple Blocks.
        case extendedReadMultipleBlocks = 0x33
        /// Extended Get System Information.
        case extendedGetSystemInformation = 0x3B
        /// Extended Get Multiple Block Security Status.
        case extendedGetMultipleBlockSecurityStatus = 0x3C
        case getNXPSystemInformation = 0xAB
    }

    /// The flags, including the address flag.
    public let flags: Flags
    /// The command code.
    public let code: Code
    /// The byte between the command code and the UID: the request field of Extended Get System Information, or the
    /// manufacturer code of a custom command; `nil` for all other commands.
    public let field: UInt8?
    /// The bytes after the UID.
    public let parameters: [UInt8]

    /// Creates a request at the high data rate with one subcarrier.
    ///
    /// - Parameters:
    ///   - code: the command.
    ///   - parameters: the bytes after the UID, without CRC.
    ///   - flags: flags in addition to those for the data rate and the address.
    ///   - field: the byte between the command code and the UID.
    public init(_ code: Code, _ parameters: [UInt8] = [], _ flags: Flags = [], field: UInt8? = nil) {
        self.code = code
        self.parameters = parameters
        self.field = field
        self.flags = flags.union([.highDataRate, .address])
    }

    /// Returns the frame, without CRC.
    ///
    /// - Parameter uid: the UID, 8 bytes, E0 first.
    /// - Returns: the bytes as sent on the air, with the UID in reverse order.
    public func frame(to uid: [UInt8]) -> [UInt8] {
        [flags.rawValue, code.rawValue] + (field.map { [$0] } ?? []) + uid.reversed() + parameters
    }
}

extension ISO15693Command.Code: CustomStringConvertible {
    /// The name of the command in the standard.
    public var description: String {
        switch self {
        case .readSingleBlock: "READ SINGLE BLOCK"
        case .writeSingleBlock: "WRITE SINGLE BLOCK"
        case .lockBlock: "LOCK BLOCK"
        case .readMultipleBlocks: "READ MULTIPLE BLOCKS"
        case .getSystemInformation: "GET SYSTEM INFORMATION"
        case .getMultipleBlockSecurityStatus: "GET MULTIPLE BLOCK SECURITY STATUS"
        case .extendedReadSingleBlock: "EXTENDED READ SINGLE BLOCK"
        case .extendedWriteSingleBlock: "EXTENDED WRITE SINGLE BLOCK"
        case .extendedLockBlock: "EXTENDED LOCK BLOCK"
        case .extendedReadMultipleBlocks: "EXTENDED READ MULTIPLE BLOCKS"
        case .extendedGetSystemInformation: "EXTENDED GET SYSTEM INFORMATION"
        case .extendedGetMultipleBlockSecurityStatus: "EXTENDED GET MULTIPLE BLOCK SECURITY STATUS"
        case .getNXPSystemInformation: "GET NXP SYSTEM INFORMATION"
        }
    }
}
