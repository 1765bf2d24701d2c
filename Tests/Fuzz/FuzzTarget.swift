// The decoders that are given any bytes at all, by name

/// A decoder, and inputs to begin with.
///
/// To add one, write it in a file of `Targets` and name its list in ``all``; Docs/Testing.md.
struct FuzzTarget: Sendable, CustomStringConvertible {
    /// What `Scripts/fuzz` calls it.
    let name: String
    /// Inputs that the decoder accepts, or nearly.
    let seeds: @Sendable () throws -> [[UInt8]]
    /// Decodes an input, and checks what must hold for any.
    ///
    /// It throws a ``Finding`` and nothing else. An input that the decoder refuses is not one.
    let run: @Sendable ([UInt8]) throws -> Void

    init(
        _ name: String, seeds: @autoclosure @escaping @Sendable () throws -> [[UInt8]],
        run: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        (self.name, self.seeds, self.run) = (name, seeds, run)
    }

    /// A decoder of text: what is not UTF-8 is repaired, as where files are read.
    init(
        _ name: String, texts: @autoclosure @escaping @Sendable () throws -> [String],
        run: @escaping @Sendable (String) throws -> Void
    ) {
        self.name = name
        seeds = { try texts().map { Array($0.utf8) } }
        self.run = { try run(String(decoding: $0, as: UTF8.self)) }
    }

    var description: String { name }

    /// All of them.
    static let all: [FuzzTarget] = [
        messages, records, dumps, plans, textFiles, readerProcess, readerFrames, smartCards, tags, cardCommands,
        signedURLs, journals, simulator, virtualSmartCards, board,
    ].flatMap(\.self)
}

/// What a decoder must not do, other than to trap.
struct Finding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Fails with a finding when something does not hold.
func require(_ holds: Bool, _ finding: @autoclosure () -> String) throws(Finding) {
    if !holds { throw Finding(finding()) }
}

/// Bytes from hexadecimal text; spaces do not count.
func octets(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
