// What can keep a virtual phone from reading

/// Errors of ``VirtualPhone``.
public enum VirtualPhoneError: Error, Hashable, Sendable {
    /// No card came in time.
    case noCard
    /// The card does not speak ISO-DEP; its SAK.
    case notISODEP(selRes: UInt8)
    /// The card went away or broke the block protocol; what the chip would have called it.
    case lost(status: UInt8)
    /// The card refused a command.
    case refused(command: [UInt8], sw: UInt16)
    /// What the card says makes no Type 4 Tag of mapping version 2.0; the bytes.
    case notType4Tag([UInt8])
    /// The message is longer than the NDEF file's room, or the file may not be written.
    case notWritable
}
