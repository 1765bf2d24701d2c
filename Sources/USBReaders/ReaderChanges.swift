// What has changed between two looks at sysfs

/// The readers that are known, and which of those just seen are new.
struct ReaderChanges {
    private var known: [USBReader]
    /// Seen once without interfaces, which the kernel adds a moment after the device.
    private var unsettled: Set<USBReader> = []

    init(known: [USBReader]) { self.known = known }

    /// Whether a device was seen that should soon be looked at again.
    var isUnsettled: Bool { !unsettled.isEmpty }

    /// Those that went first, then those that came, each by port.
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
    /// Whether it is the same plug-in of the same device, whatever drivers and texts were read this time.
    fileprivate func isSameDevice(as other: USBReader) -> Bool {
        port == other.port && device == other.device && model.vendor == other.model.vendor
            && model.product == other.model.product
    }
}
