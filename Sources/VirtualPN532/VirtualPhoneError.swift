// Errors of a virtual phone

/// Errors of ``VirtualPhone``.
public enum VirtualPhoneError: Error, Hashable, Sendable {
    /// No card arrived in time.
    case noCard
    /// The card does not support ISO-DEP, according to its SAK.
    ///
    /// The value is the SAK.
    case notISODEP(selRes: UInt8)
    /// The card left the field, or it broke the block protocol.
    ///
    /// The value is the status code of the chip.
    case lost(status: UInt8)
    /// The card refused a command.
    ///
    /// `sw` is its status word.
    case refused(command: [UInt8], sw: UInt16)
    /// An answer from the card does not describe a Type 4 Tag with mapping version 2.0.
    ///
    /// The value is that answer.
    case notType4Tag([UInt8])
    /// The message does not fit into the NDEF file, or the file is read-only.
    case notWritable
}
