// Changes between two checks of sysfs

/// The readers that are already known, to tell which have arrived and which have left.
struct ReaderChanges {
    private var known: [USBReader]
    /// Readers seen once without interfaces, which the kernel adds shortly after the device.
    private var unsettled: Set<USBReader> = []

    init(known: [USBReader]) { self.known = known }

    /// Whether a device was seen that should be checked again soon.
    var isUnsettled: Bool { !unsettled.isEmpty }

    /// Returns the readers that left, then those that arrived, each sorted by port.
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
    /// Whether this is the same connection of the same device, even if the drivers and descriptor strings differ.
    fileprivate func isSameDevice(as other: USBReader) -> Bool {
        port == other.port && device == other.device && model.vendor == other.model.vendor
            && model.product == other.model.product
    }
}
