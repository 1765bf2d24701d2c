// A PN532 reader that exists only as a pseudo-terminal — NXP UM0701-02, HSU interface

/// A virtual PN532 that any program takes for a reader on a serial port.
///
/// It runs on a thread of its own from its making until ``stop()`` or its release.
public final class VirtualReader: Sendable {
    /// The tags in reach; may be changed at any time.
    public let field: Field
    /// The serial port, `/dev/pts/N`.
    public var path: String { line.path }
    /// The port as libnfc's connection string, `pn532_uart:/dev/pts/N`.
    public var connection: String { "pn532_uart:\(path)" }
    /// The counts since the beginning or the last ``resetStatistics()``.
    public var statistics: Statistics { counter.value }
    /// The faults in force; a change keeps the count of tag commands.
    public var faults: Faults {
        get { faultCounter.faults }
        set { faultCounter.faults = newValue }
    }
    /// What last went wrong with saving a tag file, if anything did.
    public var saveError: VirtualReaderError? { store.error }

    private let line: SerialLine
    private let thread: ServiceThread
    private let counter = StatisticsCounter()
    private let faultCounter: FaultCounter
    private let store: TagStore

    /// Makes a reader with these tags in its field at once.
    /// - Throws: ``VirtualReaderError/noPseudoTerminal(_:)`` or ``VirtualReaderError/noThread(_:)``.
    public convenience init(
        tags: [any VirtualTag] = [], antenna: Antenna? = nil, faults: Faults = Faults(), latency: Latency = .none,
        chip: ChipModel = .pn532
    ) throws(VirtualReaderError) {
        try self.init(field: Field(tags), antenna: antenna, faults: faults, latency: latency, chip: chip)
    }

    /// Makes a reader with this field.
    /// - Parameters:
    ///   - field: used by one reader at most.
    ///   - antenna: one that is held to another reader's; used by one reader at most.
    ///   - faults: what goes wrong, and when.
    ///   - latency: whether answers take the time they would with a real chip.
    ///   - chip: what its firmware answers like.
    ///   - files: tags that are saved after each change, before the host gets its answer.
    /// - Throws: ``VirtualReaderError/noPseudoTerminal(_:)``, ``VirtualReaderError/noThread(_:)``,
    ///   ``VirtualReaderError/fileInUse(path:holder:)`` or ``VirtualReaderError/fileInaccessible(path:_:)``.
    public init(
        field: Field, antenna: Antenna? = nil, faults: Faults = Faults(), latency: Latency = .none,
        chip: ChipModel = .pn532, files: [TagFile] = []
    ) throws(VirtualReaderError) {
        let wake = try WakePipe()
        let store = try TagStore(files)
        faultCounter = FaultCounter(faults)
        let uart = HighSpeedUART(
            model: chip, field: field, antenna: antenna, faults: faultCounter, statistics: counter, latency: latency,
            now: { .now }, afterCommand: { store.saveChanges() })
        let line = try SerialLine(uart: uart, wake: wake)
        thread = try ServiceThread(wake: wake) { line.run() }
        (self.field, self.line, self.store) = (field, line, store)
        field.setOnChange { wake.signal() }
    }

    deinit { stop() }

    /// Counts from zero again; the numbers of tag commands for ``faults`` go on.
    public func resetStatistics() { counter.reset() }

    /// Brings a tag kept in a file into the field.
    ///
    /// - Throws: ``VirtualReaderError/fileInUse(path:holder:)``, ``VirtualReaderError/fileInaccessible(path:_:)``.
    public func place(_ file: TagFile) throws(VirtualReaderError) {
        store.release(except: field.holds)
        try store.add(file)
        field.place(file.tag)
    }

    /// Closes the port and ends the thread; returns when it has ended.
    public func stop() {
        field.setOnChange(nil)
        thread.stop()
    }
}
