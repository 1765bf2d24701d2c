// A time on the command line — Docs/CommandLine.md, --timeout

import ArgumentParser

/// A duration as users write it, such as `30s` or `2m`.
struct WaitingTime: ExpressibleByArgument, Hashable {
    /// The duration, or nil to wait forever.
    let duration: Duration?

    init(_ duration: Duration?) { self.duration = duration }

    init?(argument: String) {
        let units: [(String, Double)] = [("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("", 1)]
        guard let (suffix, factor) = units.first(where: { argument.hasSuffix($0.0) }),
            let number = Double(argument.dropLast(suffix.count)), number.isFinite, (0...1e6).contains(number)
        else { return nil }
        duration = number == 0 ? nil : .milliseconds(Int64((number * factor * 1000).rounded()))
    }
}
