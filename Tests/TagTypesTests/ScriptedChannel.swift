// A channel that expects exact commands, given in rows of hexadecimal text, for sequences and faults
import ReaderInterface
import Testing

/// Answers a script, command by command, and records any deviation as a test issue.
final class ScriptedChannel: TagChannel {
    enum Step {
        case exchange(Framing, command: String, answer: String)
        case failure(Framing, command: String, ReaderError)
        case reselect
    }

    let target: Target
    let maxCommandLength: Int
    let maxResponseLength: Int
    private var steps: ArraySlice<Step>

    init(_ target: Target, maxCommandLength: Int = 262, maxResponseLength: Int = 262, _ steps: [Step]) {
        self.target = target
        self.maxCommandLength = maxCommandLength
        self.maxResponseLength = maxResponseLength
        self.steps = steps[...]
    }

    var isFinished: Bool { steps.isEmpty }

    func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8] {
        switch steps.popFirst() {
        case .exchange(let expectedFraming, let expected, let answer)?:
            #expect(command == bytes(expected))
            #expect(framing == expectedFraming)
            return bytes(answer)
        case .failure(let expectedFraming, let expected, let error)?:
            #expect(command == bytes(expected))
            #expect(framing == expectedFraming)
            throw error
        case let step:
            Issue.record("\(command) came where the script has \(String(describing: step))")
            throw .tagLost
        }
    }

    func reselect() throws(ReaderError) {
        guard case .reselect? = steps.popFirst() else {
            Issue.record("a reselection came that the script does not have")
            throw .tagLost
        }
    }
}

extension [ScriptedChannel.Step] {
    /// Returns an answer that a tag repeats in new activations, until it cannot be noise.
    static func repeatedly(_ step: ScriptedChannel.Step) -> [ScriptedChannel.Step] {
        [step, .reselect, step, .reselect, step]
    }
}

/// Returns bytes from hexadecimal text.
///
/// Spaces are ignored.
func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}

extension Target {
    /// An NTAG or Ultralight: SAK 00, ATQA 0044, 7-byte UID.
    static let type2 = Target.nfcA(NFCATarget(sensRes: [0x00, 0x44], selRes: 0x00, nfcID1: bytes("04A1B2C3D4E580")))
    static let type4 = Target.nfcA(
        NFCATarget(sensRes: [0x03, 0x44], selRes: 0x20, nfcID1: bytes("04112233445566"), ats: bytes("7577810280")))
}

/// Returns the error that a call throws, or nil if it throws none.
func error<T, E>(_ call: () throws(E) -> T) -> E? {
    do {
        _ = try call()
        return nil
    } catch {
        return error
    }
}
