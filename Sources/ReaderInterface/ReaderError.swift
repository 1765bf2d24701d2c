// Errors between this host and a target, distinguished by what the caller must do next

/// An error from a reader or from the radio connection.
public enum ReaderError: Error, Hashable, Sendable {
    /// No reader was found at this connection string.
    ///
    /// If `connection` is nil, no reader was found at all.
    case noReader(connection: String?)
    /// Another process is using the reader.
    ///
    /// `holder` names the process if it is known.
    case busy(connection: String, holder: String?)
    /// The system does not let this user open the reader.
    case noPermission(connection: String, path: String)
    /// The reader itself does not answer, or its answers are invalid.
    ///
    /// `operation` completes "while …", such as `opening`. `reason` is a clause. `code` is the back end's error code, for bug reports. `fault` is the cause, or
    /// ``ReaderFault/other`` if the user cannot act on it.
    case readerFailed(operation: String, reason: String, code: Int32, fault: ReaderFault = .other)
    /// The target answered NAK, did not answer, or sent a broken frame.
    ///
    /// After this error, a Type 2 Tag needs `reselect()`.
    case noAnswer
    /// The target is no longer in the field.
    case tagLost
    /// The command is longer than this reader supports.
    ///
    /// Nothing was sent.
    case commandTooLong(length: Int, limit: Int)
    /// This reader cannot send this command to a tag.
    ///
    /// Nothing was sent.
    ///
    /// `command` is the code of the command, and `technology` that of the tag. `flags` are the request flags of an
    /// NFC-V command, if the reader could send the command with other flags.
    case cannotSend(command: UInt8, reader: String, technology: Technology? = nil, flags: UInt8? = nil)
    /// `Reader.abort()` ended the call.
    case aborted
    /// This reader cannot be a target.
    ///
    /// `reason` is a clause.
    case cannotListen(connection: String, reason: String)
    /// The other reader has deselected this reader, which is its target, or has left.
    ///
    /// The caller can listen again.
    case initiatorLost
    /// The requested block is not in the dump from which the tag is read.
    ///
    /// The tag itself may have the block and may allow access to it.
    case notInFile(block: Int)
}

/// The cause of a reader's failure, if the user can act on it.
public enum ReaderFault: UInt8, Hashable, Sendable {
    /// The reader was unplugged.
    case unplugged = 1
    /// Another program took over the reader, and may release it again.
    case taken = 2
    /// The smart-card daemon pcscd has ended or was not running.
    case noDaemon = 3
    /// The serial line does not work at the speed that the reader's connection string specifies.
    case tooFast = 4
    /// Any other cause.
    case other = 0
}

extension ReaderError {
    /// The operation of ``readerFailed(operation:reason:code:fault:)`` if the search for readers failed.
    package static let search = "looking for readers"
}

extension ReaderError: CustomStringConvertible {
    /// The error as a sentence, without advice.
    public var description: String {
        switch self {
        case .noReader(let connection?): "No reader answered at \(connection)."
        case .noReader(nil): "No reader was found."
        case .busy(let connection, let holder?): "The reader \(connection) is in use by \(holder)."
        case .busy(let connection, nil): "The reader \(connection) is in use."
        case .noPermission(let connection, let path): "No permission to open \(path) for the reader \(connection)."
        case .readerFailed(Self.search, let reason, let code, _):
            "The search for readers failed: \(reason) (error \(number(code)))."
        case .readerFailed(let operation, let reason, let code, _):
            "The reader failed while \(operation): \(reason) (error \(number(code)))."
        case .noAnswer: "The tag did not answer."
        case .tagLost: "The tag left the field."
        case .commandTooLong(let length, let limit):
            "The command is \(length) bytes long; this reader can send at most \(limit)."
        case .cannotSend(let command, let reader, let technology, let flags):
            "The reader \(reader) cannot send "
                + (technology?.commandName(command).map { "\($0) (\(hex(command)))" } ?? "the command \(hex(command))")
                + (flags.map { " with the request flags \(hex($0))" } ?? "") + " to this tag."
        case .aborted: "Interrupted."
        case .cannotListen(let connection, let reason): "The reader \(connection) cannot emulate a tag: \(reason)."
        case .initiatorLost: "The other reader has left."
        case .notInFile(let block): "Block \(block) is not in this file."
        }
    }
}

/// Formats an error code in the way of its documentation.
///
/// PC/SC codes are hexadecimal, such as `0x8010001D`, and codes of libnfc and Linux are decimal.
private func number(_ code: Int32) -> String {
    let bits = UInt32(bitPattern: code)
    return bits >> 16 == 0x8010 ? "0x" + String(bits, radix: 16, uppercase: true) : "\(code)"
}

private func hex(_ byte: UInt8) -> String { (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
