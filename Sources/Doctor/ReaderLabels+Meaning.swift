// The reader that a word stands for

public import USBReaders

extension ReaderLabels {
    /// Returns the reader for which a label or a serial number stands, in the form that `--reader` accepts.
    ///
    /// A connected reader is named by its port. Any other word stands for itself.
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
