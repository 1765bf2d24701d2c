// Errors of a virtual phone

/// Errors of ``VirtualPhone``.
public enum VirtualPhoneError: Error, Hashable, Sendable {
    /// No card arrived in time.
    case noCard
    /// The card does not support ISO-DEP.
    ///
    /// The value is its SAK.
    case notISODEP(selRes: UInt8)
    /// The card left the field or broke the block protocol.
    ///
    /// The value is the chip's status code.
    case lost(status: UInt8)
    /// The card refused a command.
    case refused(command: [UInt8], sw: UInt16)
    /// The card's answer does not describe a Type 4 Tag with mapping version 2.0.
    ///
    /// The value is the answer.
    case notType4Tag([UInt8])
    /// The message is longer than the NDEF file, or the file is read-only.
    case notWritable
}
