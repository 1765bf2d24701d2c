// What a reader is, with no reader in it

/// A contactless reader that is open and owned by one serial queue.
///
/// All calls but ``abort()`` block and are made on the owner's queue.
public protocol Reader: AnyObject, Sendable {
    /// The connection string this reader was opened with, for example `pn532_uart:/dev/ttyUSB0`.
    var connection: String { get }

    /// What the reader's chip said it is when the reader was opened, for example `PN532 v1.6`; nil where it is not known.
    ///
    /// Costs no exchange. On the owner's queue.
    var chip: String? { get }

    /// The technologies this reader has the radio for; a poll finds nothing with others. On the owner's queue.
    var technologies: Set<Technology> { get }

    /// Looks once for targets of the given technologies, in that order, and returns those found, at most one tag twice, and
    /// whether there may be more than could be told apart.
    ///
    /// Returns in bounded time whether or not a target is there; waiting for a tag is the caller's loop. Any earlier
    /// connection ends. The targets are left unconnected.
    ///
    /// With identifiers in `settled`, a technology that finds another one is the last: those are no news. Nil looks with all.
    /// A target that is alone may then be left activated: connecting to it at once costs nothing, and that it has left since
    /// shows as it is asked something. And a few polls in a row may look only for NFC-A beside a settled target.
    func poll(for technologies: [Technology], settled: Set<[UInt8]>?) throws(ReaderError) -> FoundTargets

    /// Activates one target that ``poll(for:settled:)`` found and returns a channel to it, ending any earlier connection.
    ///
    /// - Throws: ``ReaderError/tagLost`` when it is not in the field any more.
    func connect(to target: Target) throws(ReaderError) -> any TagChannel

    /// Switches the field off and on, and activates a target that was found before as if it came just now.
    ///
    /// - Throws: ``ReaderError/tagLost`` when it is not in the field any more.
    func powerUp(_ target: Target) throws(ReaderError) -> any TagChannel

    /// Whether the connected target still answers, and whether it was there all the time.
    func presence(of channel: any TagChannel) throws(ReaderError) -> Presence

    /// Ends a call in progress with ``ReaderError/aborted``. May be called from any thread, at any time.
    func abort()

    /// Switches the field off and gives the reader back. Calls after it throw ``ReaderError/readerFailed(operation:reason:code:fault:)``.
    func close()
}

extension Reader {
    /// Not known.
    public var chip: String? { nil }

    /// All of them.
    public var technologies: Set<Technology> { Set(Technology.allCases) }

    /// Looks once for targets of all the given technologies.
    public func poll(for technologies: [Technology]) throws(ReaderError) -> FoundTargets {
        try poll(for: technologies, settled: nil)
    }
}

/// What a look for the connected target found.
public enum Presence: Hashable, Sendable {
    /// It answers, and has kept its state.
    case continuous
    /// It answers after it was selected anew: it may have been away, and what was known of it is void.
    case renewed
    /// It does not answer.
    case absent
}
