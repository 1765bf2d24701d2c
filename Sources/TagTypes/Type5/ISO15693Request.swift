// Any request of ISO 15693, and its response with all flags — ISO/IEC 15693-3, Request Format and Response Format

import Hexadecimal

/// A request as a program makes it: any command code, any flags, a maker's own command.
///
/// ``ISO15693Command`` is for the commands that NDEF takes.
public struct ISO15693Request: Hashable, Sendable {
    /// The request flags.
    public var flags: ISO15693Command.Flags
    /// The command code.
    public var code: UInt8
    /// The maker's code of ISO/IEC 7816-6, which custom commands have after the command code.
    public var manufacturer: UInt8?
    /// What comes last.
    public var parameters: [UInt8]

    /// Makes a request.
    ///
    /// - Parameters:
    ///   - code: the command code.
    ///   - flags: the request flags; with the address flag, the frame has the tag's UID.
    ///   - manufacturer: the maker's code of ISO/IEC 7816-6, of a custom command.
    ///   - parameters: what comes last.
    public init(
        _ code: UInt8, flags: ISO15693Command.Flags, manufacturer: UInt8? = nil, parameters: [UInt8] = []
    ) {
        (self.code, self.flags, self.manufacturer, self.parameters) = (code, flags, manufacturer, parameters)
    }

    /// The frame, without CRC.
    ///
    /// - Parameter uid: the UID, 8 bytes, E0 first.
    /// - Returns: the bytes as they go on the air, where the last byte of the UID is the first. Without the address
    ///   flag the UID is left out.
    public func frame(to uid: [UInt8]) -> [UInt8] {
        [flags.rawValue, code] + (manufacturer.map { [$0] } ?? []) + (flags.contains(.address) ? uid.reversed() : [])
            + parameters
    }
}

/// A response with its flags, whatever they say.
public struct ISO15693Response: Hashable, Sendable {
    /// The response flags.
    public let flags: UInt8
    /// What follows them: data, or an error code.
    public let data: [UInt8]

    /// Reads a response without CRC.
    ///
    /// - Throws: ``TagError/protocolViolation(field:found:expected:offset:)`` for a response without flags.
    public init(_ bytes: [UInt8]) throws(TagError) {
        guard let flags = bytes.first else {
            throw .protocolViolation(
                field: "an answer", found: "0 bytes", expected: "response flags", offset: nil)
        }
        (self.flags, data) = (flags, Array(bytes.dropFirst()))
    }
}

/// A tag refused a request, and said why.
public struct ISO15693Refusal: Error, Hashable, Sendable {
    /// The command code of the request.
    public let command: UInt8
    /// The error code.
    public let error: ISO15693Error
}

extension ISO15693Refusal: CustomStringConvertible {
    /// What happened and why, in a sentence.
    public var description: String {
        "The tag refused the command \(command.hex) with error \(error.rawValue.hex): \(error.meaning)."
    }
}
