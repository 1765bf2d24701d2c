// Which reader a word means

public import USBReaders

extension ReaderLabels {
    /// What a label or a serial number stands for, as `--reader` takes it, by its port where it is plugged in; any other
    /// word stands for itself.
    public func meant(by word: String, in survey: ReaderSurvey) -> String {
        let meaning =
            switch target(of: word) {
            case .port(let port): "usb:\(port)"
            case .serial(let serial): "serial:\(serial)"
            case .connection(let connection): connection
            case nil: word
            }
        guard meaning.hasPrefix("serial:") else { return meaning }
        let serial = String(meaning.dropFirst("serial:".count))
        return survey.readers.first { $0.reader.serial == serial }.map { "usb:\($0.reader.port)" } ?? meaning
    }
}
