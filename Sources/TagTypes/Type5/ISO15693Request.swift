// Any ISO 15693 request, and its response with all flags — ISO/IEC 15693-3, Request Format and Response Format

import Hexadecimal

/// A request with any command code and any flags, such as a custom command.
///
/// For the commands that NDEF needs, use ``ISO15693Command``.
public struct ISO15693Request: Hashable, Sendable {
    /// The request flags.
    public var flags: ISO15693Command.Flags
    /// The command code.
    public var code: UInt8
    /// The manufacturer code of ISO/IEC 7816-6, which follows the command code in custom commands; `nil` for standard
    /// commands.
    public var manufacturer: UInt8?
    /// The bytes at the end of the request.
    public var parameters: [UInt8]

    /// Creates a request.
    ///
    /// - Parameters:
    ///   - code: the command code.
    ///   - flags: the request flags. With the address flag, the frame contains the UID of the tag.
    ///   - manufacturer: the manufacturer code of ISO/IEC 7816-6, for a custom command.
    ///   - parameters: the bytes at the end of the request.
    public init(
        _ code: UInt8, flags: ISO15693Command.Flags, manufacturer: UInt8? = nil, parameters: [UInt8] = []
    ) {
        (self.code, self.flags, self.manufacturer, self.parameters) = (code, flags, manufacturer, parameters)
    }

    /// Returns the frame, without CRC.
    ///
    /// - Parameter uid: the UID, 8 bytes, E0 first.
    /// - Returns: the bytes as sent on the air, with the UID in reverse order. Without the address flag, the UID is
    ///   left out.
    public func frame(to uid: [UInt8]) -> [UInt8] {
        [flags.rawValue, code] + (manufacturer.map { [$0] } ?? []) + (flags.contains(.address) ? uid.reversed() : [])
            + parameters
    }
}

/// A response with its flags, whatever their values.
public struct ISO15693Response: Hashable, Sendable {
    /// The response flags.
    public let flags: UInt8
    /// The bytes after the flags: data, or an error code.
    public let data: [UInt8]

    /// Decodes a response without CRC.
    ///
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)`` if the response has no flags.
    public init(_ bytes: [UInt8]) throws(TagError) {
        guard let flags = bytes.first else {
            throw .protocolViolation(
                field: "an answer", found: "0 bytes", expected: "response flags", offset: nil)
        }
        (self.flags, data) = (flags, Array(bytes.dropFirst()))
    }
}

/// A tag's refusal to carry out a request, with the reason.
public struct ISO15693Refusal: Error, Hashable, Sendable {
    /// The command code of the request.
    public let command: UInt8
    /// The error code.
    public let error: ISO15693Error
}

extension ISO15693Refusal: CustomStringConvertible {
    /// A sentence that says what happened and why.
    public var description: String {
        "The tag refused the command \(command.hex) with error \(error.rawValue.hex): \(error.meaning)."
    }
}
