// The interface of a reader, independent of its model and driver

/// An open contactless reader, owned by a serial queue.
///
/// All calls except ``abort()`` block, and must be made on the owner's queue.
public protocol Reader: AnyObject, Sendable {
    /// The connection string with which the reader was opened, for example `pn532_uart:/dev/ttyUSB0`.
    var connection: String { get }

    /// The chip's description of itself when the reader was opened, for example `PN532 v1.6`.
    ///
    /// Nil if the description is not known. This property needs no exchange with the reader. It must be read on the
    /// owner's queue.
    var chip: String? { get }

    /// The technologies that the reader's radio supports.
    ///
    /// A poll for other technologies finds nothing. This property must be read on the owner's queue.
    var technologies: Set<Technology> { get }

    /// Polls once for targets of the given technologies, in the given order.
    ///
    /// The result contains the targets that were found, of which one tag may be listed twice, and states whether there
    /// may be more than the reader can distinguish.
    ///
    /// The call returns in bounded time, with or without a target. The caller decides how long to wait for a tag. Any
    /// earlier connection ends, and the targets are left unconnected.
    ///
    /// Polling stops after the first technology that finds an identifier not in `settled`. If `settled` is nil, all
    /// technologies are polled. If it is not nil, a single target may be left activated. Connecting to this target
    /// immediately needs no exchange. If the target has left in the meantime, the first command reports this. A few
    /// consecutive polls may also look only for NFC-A targets other than a settled one.
    func poll(for technologies: [Technology], settled: Set<[UInt8]>?) throws(ReaderError) -> FoundTargets

    /// Activates one target that ``poll(for:settled:)`` found, and returns a channel to it.
    ///
    /// Any earlier connection ends.
    ///
    /// - Throws: ``ReaderError/tagLost`` if the target is no longer in the field.
    func connect(to target: Target) throws(ReaderError) -> any TagChannel

    /// Switches the field off and on, and activates a target that was found before as if it had just arrived.
    ///
    /// - Throws: ``ReaderError/tagLost`` if the target is no longer in the field.
    func powerUp(_ target: Target) throws(ReaderError) -> any TagChannel

    /// Checks whether the connected target still answers, and whether it has been present without interruption.
    func presence(of channel: any TagChannel) throws(ReaderError) -> Presence

    /// Ends a call in progress with ``ReaderError/aborted``.
    ///
    /// This call may be made from any thread at any time.
    func abort()

    /// Switches the field off and releases the reader.
    ///
    /// Later calls throw ``ReaderError/readerFailed(operation:reason:code:fault:)``.
    func close()
}

extension Reader {
    /// Nil by default, for a reader that does not report its chip.
    public var chip: String? { nil }

    /// All technologies by default.
    public var technologies: Set<Technology> { Set(Technology.allCases) }

    /// Polls once for all targets with the given technologies.
    public func poll(for technologies: [Technology]) throws(ReaderError) -> FoundTargets {
        try poll(for: technologies, settled: nil)
    }
}

/// The result of a presence check for the connected target.
public enum Presence: Hashable, Sendable {
    /// The target answers and has kept its state.
    case continuous
    /// The target answers after a new selection.
    ///
    /// It may have been away in the meantime, so data that was read from it earlier is no longer valid.
    case renewed
    /// The target does not answer.
    case absent
}
