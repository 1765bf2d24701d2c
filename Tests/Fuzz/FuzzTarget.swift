// The decoders that are tested with arbitrary bytes, by name

/// A decoder, and the inputs to begin with.
///
/// To add a decoder, write it in a file in `Targets` and add its list to ``all`` — Docs/Testing.md.
struct FuzzTarget: Sendable, CustomStringConvertible {
    /// The name for `Scripts/fuzz`.
    let name: String
    /// Inputs that the decoder accepts or almost accepts.
    let seeds: @Sendable () throws -> [[UInt8]]
    /// Decodes an input, and checks the rules that must hold for every input.
    ///
    /// It throws only a ``Finding``. If the decoder refuses an input, this is not a finding.
    let run: @Sendable ([UInt8]) throws -> Void

    init(
        _ name: String, seeds: @autoclosure @escaping @Sendable () throws -> [[UInt8]],
        run: @escaping @Sendable ([UInt8]) throws -> Void
    ) {
        (self.name, self.seeds, self.run) = (name, seeds, run)
    }

    /// Creates a target for a decoder of text.
    ///
    /// Invalid UTF-8 is repaired, as it is when files are read.
    init(
        _ name: String, texts: @autoclosure @escaping @Sendable () throws -> [String],
        run: @escaping @Sendable (String) throws -> Void
    ) {
        self.name = name
        seeds = { try texts().map { Array($0.utf8) } }
        self.run = { try run(String(decoding: $0, as: UTF8.self)) }
    }

    var description: String { name }

    static let all: [FuzzTarget] = [
        messages, records, dumps, plans, textFiles, readerProcess, readerFrames, smartCards, tags, cardCommands,
        signedURLs, journals, simulator, virtualSmartCards, board,
    ].flatMap(\.self)
}

struct Finding: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) { self.description = description }
}

/// Throws a finding if a condition does not hold.
func require(_ holds: Bool, _ finding: @autoclosure () -> String) throws(Finding) {
    if !holds { throw Finding(finding()) }
}

/// Returns the bytes of hexadecimal text.
///
/// Spaces are ignored.
func octets(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
