// The encoding of values between the two processes: big-endian numbers, and lists preceded by their length

/// Encodes values by appending their bytes.
struct WireWriter {
    private(set) var bytes: [UInt8] = []

    mutating func byte(_ value: UInt8) { bytes.append(value) }

    mutating func number(_ value: UInt64) {
        for shift in stride(from: 56, through: 0, by: -8) { bytes.append(UInt8(truncatingIfNeeded: value >> shift)) }
    }

    mutating func list(_ value: [UInt8]) {
        number(UInt64(value.count))
        bytes += value
    }

    mutating func text(_ value: String) { list(Array(value.utf8)) }

    mutating func optional(_ value: String?) {
        byte(value == nil ? 0 : 1)
        if let value { text(value) }
    }

    mutating func duration(_ value: Duration) {
        // Do not divide durations: the division uses Double, which may lose a microsecond.
        let (seconds, attoseconds) = value.components
        let whole = UInt64(max(0, min(seconds, Int64(WireReader.longestDuration / 1_000_000)))) * 1_000_000
        number(min(whole + UInt64(max(0, attoseconds)) / 1_000_000_000_000, WireReader.longestDuration))
    }
}

/// Decodes values.
///
/// Missing bytes are an error, because the other process may have malfunctioned.
struct WireReader {
    /// The bytes are not what the other process should have sent.
    struct Broken: Error {}

    /// The maximum duration in microseconds, which is about 31 years.
    fileprivate static let longestDuration: UInt64 = 1_000_000_000_000_000

    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    mutating func byte() throws(Broken) -> UInt8 {
        guard let byte = rest.popFirst() else { throw Broken() }
        return byte
    }

    mutating func number() throws(Broken) -> UInt64 {
        var value: UInt64 = 0
        for _ in 0..<8 { value = value << 8 | UInt64(try byte()) }
        return value
    }

    /// Reads the number of elements in a list.
    ///
    /// Each element has at least one byte, so the number cannot exceed that of the remaining bytes.
    mutating func count() throws(Broken) -> Int {
        let value = try number()
        guard value <= UInt64(rest.count) else { throw Broken() }
        return Int(value)
    }

    mutating func list() throws(Broken) -> [UInt8] {
        let count = try count()
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    mutating func text() throws(Broken) -> String { String(decoding: try list(), as: UTF8.self) }

    mutating func optional() throws(Broken) -> String? { try byte() == 0 ? nil : try text() }

    mutating func duration() throws(Broken) -> Duration {
        .microseconds(Int64(min(try number(), Self.longestDuration)))
    }

    /// Checks that no bytes are left over.
    func end() throws(Broken) { if !rest.isEmpty { throw Broken() } }
}
