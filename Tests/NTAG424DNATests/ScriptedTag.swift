// A tag that expects exact commands and gives the answers that NXP printed

import ReaderInterface
import Testing

/// Plays pairs of a command and its answer.
///
/// Any other command is recorded as a test issue.
final class ScriptedTag: TagChannel {
    let target = Target.nfcA(
        NFCATarget(
            sensRes: [0x03, 0x44], selRes: 0x20, nfcID1: bytes("04958CAA5C5E80"), ats: bytes("7777710280")))
    let maxCommandLength = 262
    let maxResponseLength = 262
    private var script: ArraySlice<(String, String)>

    init(_ script: [(String, String)]) { self.script = script[...] }

    var isFinished: Bool { script.isEmpty }

    func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8] {
        guard let (expected, answer) = script.popFirst() else {
            Issue.record("a command came after the last one")
            throw .tagLost
        }
        #expect(command == bytes(expected))
        return bytes(answer)
    }

    func reselect() throws(ReaderError) {}
}

/// Returns bytes from hexadecimal text.
///
/// Spaces and line ends are ignored.
func bytes(_ hex: String) -> [UInt8] {
    let digits = hex.compactMap(\.hexDigitValue)
    return stride(from: 0, to: digits.count - 1, by: 2).map { UInt8(digits[$0] << 4 | digits[$0 + 1]) }
}
