// A duration for people, and for JSON

extension Duration {
    /// As people say it, without parts of a second after the first: `1 min 30 s`, `5 s`, `250 ms`.
    package var inWords: String {
        let milliseconds = (self / .milliseconds(1)).rounded()
        guard milliseconds >= 1000 else { return "\(Int(milliseconds)) ms" }
        let seconds = Int64(min((milliseconds / 1000).rounded(), 1e15))
        guard seconds >= 60 else { return "\(seconds) s" }
        return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds / 60) min \(seconds % 60) s"
    }

    /// In seconds, with a precision of milliseconds.
    package var inSeconds: Double { (self / .milliseconds(1)).rounded() / 1000 }
}
