// The answer of a tag to an ISO 15693 request — ISO/IEC 15693-3, Response Format and Response Error Code

import Hexadecimal

/// A response: data, or an error code.
public enum ISO15693Answer: Hashable, Sendable {
    /// The command was carried out. The associated bytes follow the response flags.
    case data([UInt8])
    /// The tag refused the command.
    case error(ISO15693Error)

    /// The bit of the response flags that announces an error code.
    private static let errorFlag: UInt8 = 0x01

    /// Decodes a response without CRC.
    ///
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)`` if the response has no flags.
    public init(_ response: [UInt8]) throws(TagError) {
        guard let flags = response.first else {
            throw .protocolViolation(
                field: "an answer", found: "0 bytes", expected: "response flags", offset: nil)
        }
        if flags & Self.errorFlag == 0 {
            self = .data(Array(response.dropFirst()))
        } else {
            // A tag that omits the code gives no reason.
            self = .error(response.count > 1 ? ISO15693Error(rawValue: response[1]) : .unknown)
        }
    }
}

/// The reason why a tag refused a command.
public struct ISO15693Error: RawRepresentable, Hashable, Sendable {
    /// The error code.
    public let rawValue: UInt8

    /// Creates an error from any code.
    public init(rawValue: UInt8) { self.rawValue = rawValue }

    /// The command is not supported.
    public static let notSupported = ISO15693Error(rawValue: 0x01)
    /// The format of the command is wrong.
    public static let notRecognized = ISO15693Error(rawValue: 0x02)
    /// The setting of the option flag is not supported.
    public static let optionNotSupported = ISO15693Error(rawValue: 0x03)
    /// The tag gives no reason.
    public static let unknown = ISO15693Error(rawValue: 0x0F)
    /// The block does not exist.
    public static let noSuchBlock = ISO15693Error(rawValue: 0x10)
    /// The block is already locked and cannot be locked again.
    public static let alreadyLocked = ISO15693Error(rawValue: 0x11)
    /// The block is locked, so its content cannot be changed.
    public static let locked = ISO15693Error(rawValue: 0x12)
    /// The block was not programmed.
    public static let notProgrammed = ISO15693Error(rawValue: 0x13)
    /// The block was not locked.
    public static let notLocked = ISO15693Error(rawValue: 0x14)
    /// The block is protected against reading (ST25DV and M24LR).
    public static let readProtected = ISO15693Error(rawValue: 0x15)

    /// The meaning of the code, as a clause.
    public var meaning: String {
        switch self {
        case .notSupported: "the command is not supported"
        case .notRecognized: "the command is not recognised"
        case .optionNotSupported: "the option flag is not supported"
        case .unknown: "no reason given"
        case .noSuchBlock: "the block does not exist"
        case .alreadyLocked: "the block is already locked"
        case .locked: "the block is locked"
        case .notProgrammed: "the block was not programmed"
        case .notLocked: "the block was not locked"
        case .readProtected: "the block is protected against reading"
        default: rawValue >= 0xA0 && rawValue <= 0xDF ? "a code of the chip's maker" : "an unknown code"
        }
    }

    /// Whether a lock may be the reason for a refused write.
    ///
    /// Some chips give no reason, and some report that the block was not programmed.
    var mayBeLock: Bool { [.unknown, .alreadyLocked, .locked, .notProgrammed].contains(self) }

    /// Returns this error as the failure of a command.
    func refusal(of code: ISO15693Command.Code, at offset: Int?) -> TagError {
        .commandFailed(command: "\(code) (error \(rawValue.hex), \(meaning))", offset: offset, sw: nil)
    }
}
