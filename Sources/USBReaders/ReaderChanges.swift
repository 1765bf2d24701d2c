// Changes between two checks of sysfs

/// The readers that are known so far.
///
/// A comparison with the readers that are present shows which have arrived and which have left.
struct ReaderChanges {
    private var known: [USBReader]
    /// The readers that were seen once without interfaces.
    ///
    /// The kernel adds the interfaces shortly after the device.
    private var unsettled: Set<USBReader> = []

    init(known: [USBReader]) { self.known = known }

    /// Whether a device was seen that should be checked again soon.
    var isUnsettled: Bool { !unsettled.isEmpty }

    /// Returns the readers that have left, followed by those that have arrived, each group sorted by port.
    mutating func look(at present: [USBReader]) -> [ReaderEvent] {
        let isSettled = { (reader: USBReader) in !reader.interfaces.isEmpty }
        let gone = known.filter { old in !present.contains { $0.isSameDevice(as: old) } }
        let come = present.filter { new in !known.contains { $0.isSameDevice(as: new) } }
        let told = come.filter { isSettled($0) || unsettled.contains($0) }
        unsettled = Set(come).subtracting(told)
        known = present.filter { !unsettled.contains($0) }
        return gone.map { .left($0) } + told.map { .arrived($0) }
    }
}

extension USBReader {
    /// Whether both values describe the same connection of the same device, even if drivers and descriptor strings
    /// differ.
    fileprivate func isSameDevice(as other: USBReader) -> Bool {
        port == other.port && device == other.device && model.vendor == other.model.vendor
            && model.product == other.model.product
    }
}
