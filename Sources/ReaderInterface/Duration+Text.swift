// A duration as text, and as a number for JSON

extension Duration {
    /// The duration as readable text, for example `1 min 30 s`, `5 s` or `250 ms`.
    ///
    /// From 1 s on, it is rounded to seconds.
    package var inWords: String {
        let milliseconds = (self / .milliseconds(1)).rounded()
        guard milliseconds >= 1000 else { return "\(Int(milliseconds)) ms" }
        let seconds = Int64(min((milliseconds / 1000).rounded(), 1e15))
        guard seconds >= 60 else { return "\(seconds) s" }
        return seconds % 60 == 0 ? "\(seconds / 60) min" : "\(seconds / 60) min \(seconds % 60) s"
    }

    /// The duration in seconds, rounded to milliseconds.
    package var inSeconds: Double { (self / .milliseconds(1)).rounded() / 1000 }
}
