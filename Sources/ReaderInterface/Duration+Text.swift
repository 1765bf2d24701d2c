// A duration for people, and for JSON

extension Duration {
    /// As people say it, without parts of a second after the first: `1 min 30 s`, `5 s`, `250 ms`.
    package var inWords: String {
        let (seconds, attoseconds) = components
        guard seconds > 0 else { return "\(attoseconds / 1_000_000_000_000_000) ms" }
        guard seconds >= 60 else { return "\(seconds) s" }
        return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds / 60) min \(seconds % 60) s"
    }

    /// In seconds, with a precision of milliseconds.
    package var inSeconds: Double { (self / .milliseconds(1)).rounded() / 1000 }
}
