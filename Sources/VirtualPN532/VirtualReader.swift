// A PN532 reader behind a pseudo-terminal — NXP UM0701-02, HSU interface

/// A virtual PN532 that other programs see as a reader on a serial port.
///
/// The reader runs on its own thread until ``stop()`` is called or the object is deallocated.
public final class VirtualReader: Sendable {
    /// The field with the tags that the reader can reach.
    ///
    /// Tags may be placed and removed at any time, from any thread.
    public let field: Field
    /// The path of the serial port, `/dev/pts/N`.
    public var path: String { line.path }
    /// The connection string of the port for libnfc, `pn532_uart:/dev/pts/N`.
    public var connection: String { "pn532_uart:\(path)" }
    /// The statistics since the reader was created, or since the last ``resetStatistics()``.
    public var statistics: Statistics { counter.value }
    /// The faults that are simulated now.
    ///
    /// A change does not reset the count of tag commands.
    public var faults: Faults {
        get { faultCounter.faults }
        set { faultCounter.faults = newValue }
    }
    /// The last error during the saving of a tag file; nil if there was none.
    public var saveError: VirtualReaderError? { store.error }

    private let line: SerialLine
    private let thread: ServiceThread
    private let counter = StatisticsCounter()
    private let faultCounter: FaultCounter
    private let store: TagStore

    /// Creates a reader whose field contains these tags.
    /// - Throws: ``VirtualReaderError/noPseudoTerminal(_:)`` or ``VirtualReaderError/noThread(_:)``.
    public convenience init(
        tags: [any VirtualTag] = [], antenna: Antenna? = nil, faults: Faults = Faults(), latency: Latency = .none,
        chip: ChipModel = .pn532
    ) throws(VirtualReaderError) {
        try self.init(field: Field(tags), antenna: antenna, faults: faults, latency: latency, chip: chip)
    }

    /// Creates a reader that uses a field.
    /// - Parameters:
    ///   - field: the field. No other reader may use it.
    ///   - antenna: an antenna that is coupled to the antenna of another reader. No other reader may use it.
    ///   - faults: the faults to simulate.
    ///   - latency: whether answers take as long as those of a real chip.
    ///   - chip: the chip model to emulate.
    ///   - files: the files of tags. A tag is saved after each change, before the host receives the answer.
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

    /// Resets the statistics.
    ///
    /// The count of tag commands that ``faults`` uses continues.
    public func resetStatistics() { counter.reset() }

    /// Places the tag from a file into the field.
    ///
    /// The file stays locked while its tag is in the field.
    /// - Throws: ``VirtualReaderError/fileInUse(path:holder:)``, ``VirtualReaderError/fileInaccessible(path:_:)``.
    public func place(_ file: TagFile) throws(VirtualReaderError) {
        store.release(except: field.holds)
        try store.add(file)
        field.place(file.tag)
    }

    /// Closes the port and ends the thread, and returns after the thread has ended.
    public func stop() {
        field.setOnChange(nil)
        thread.stop()
    }
}
