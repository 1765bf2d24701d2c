// What can go wrong between this host and a target — cases differ by what the caller does next

/// An error of a reader or of the radio.
public enum ReaderError: Error, Hashable, Sendable {
    /// No reader was found: nothing at this connection string, or nothing at all (`nil`).
    case noReader(connection: String?)
    /// Somebody else holds the reader; `holder` names the process where it could be found out.
    case busy(connection: String, holder: String?)
    /// The system does not let this user open the reader.
    case noPermission(connection: String, path: String)
    /// The reader itself does not answer, or answers nonsense.
    ///
    /// `reason` is a clause; `code` is the back end's own, for people who report a bug; `fault` says whether the user can fix it.
    case readerFailed(operation: String, reason: String, code: Int32, fault: ReaderFault = .other)
    /// The target answered NAK, or nothing, or with a broken frame. After this a Type 2 Tag needs `reselect()`.
    case noAnswer
    /// The target is not in the field any more.
    case tagLost
    /// The command is longer than this reader carries; nothing was sent.
    case commandTooLong(length: Int, limit: Int)
    /// This reader has no way to send this command to a tag; nothing was sent.
    ///
    /// `command` is the code of the command, `technology` that of the tag. `flags` are the request flags of an NFC-V command,
    /// if the reader could send the command with other flags.
    case cannotSend(command: UInt8, reader: String, technology: Technology? = nil, flags: UInt8? = nil)
    /// The call was ended by `Reader.abort()`.
    case aborted
    /// This reader cannot be a target; `reason` is a clause.
    case cannotListen(connection: String, reason: String)
    /// The other reader, to which this one is a target, deselected it or is gone: listen again.
    case initiatorLost
}

/// Why a reader failed, where the user can act on it.
public enum ReaderFault: UInt8, Hashable, Sendable {
    /// It was unplugged.
    case unplugged = 1
    /// Another program took it, and may give it back.
    case taken = 2
    /// The smart-card daemon pcscd ended, or is not running.
    case noDaemon = 3
    /// Anything else.
    case other = 0
}

extension ReaderError: CustomStringConvertible {
    /// What happened, in a sentence, without advice.
    public var description: String {
        switch self {
        case .noReader(let connection?): "No reader answered at \(connection)."
        case .noReader(nil): "No reader was found."
        case .busy(let connection, let holder?): "The reader \(connection) is in use by \(holder)."
        case .busy(let connection, nil): "The reader \(connection) is in use."
        case .noPermission(let connection, let path): "No permission to open \(path) for the reader \(connection)."
        case .readerFailed(let operation, let reason, let code, _):
            "The reader failed at \(operation): \(reason) (error \(number(code)))."
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
        }
    }
}

/// The code as documented: PC/SC's codes in hexadecimal, such as `0x8010001D`, those of libnfc and Linux in decimal.
private func number(_ code: Int32) -> String {
    let bits = UInt32(bitPattern: code)
    return bits >> 16 == 0x8010 ? "0x" + String(bits, radix: 16, uppercase: true) : "\(code)"
}

/// Two hexadecimal digits.
private func hex(_ byte: UInt8) -> String { (byte < 0x10 ? "0" : "") + String(byte, radix: 16, uppercase: true) }
