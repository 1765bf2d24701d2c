// Silence is evidence neither of an incomplete message nor of a completed lock

import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes
import Testing

@Suite struct UncertainMessageTests {
    /// An NTAG213 with a message of 100 bytes that returns its first blocks, and then stays silent.
    private final class HalfSilentTag: TagChannel {
        let target = Target.nfcA(NFCATarget(sensRes: [0x00, 0x44], selRes: 0x00, nfcID1: [4, 1, 2, 3, 4, 5, 6]))
        let maxCommandLength = 262
        let maxResponseLength = 262
        private let shown: [UInt8] =
            [4, 1, 2, 0x8F, 3, 4, 5, 6, 0x04, 0x48, 0, 0, 0xE1, 0x10, 0x12, 0x00] + [0x03, 100]
            + [UInt8](repeating: 0xD1, count: 14)

        func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8] {
            guard command.count == 2, command[0] == 0x30, command[1] <= 4 else { throw .noAnswer }
            return Array(shown[Int(command[1]) * 4..<Int(command[1]) * 4 + 16])
        }

        func reselect() throws(ReaderError) {}
    }

    @Test func aMessageThatCannotBeReadIsNotTakenForATornOne() {
        let tag = TagDetection.tag(
            on: HalfSilentTag(), patience: Patience(attempts: 2, time: .zero, pause: .zero))
        let error = #expect(throws: TagError.self) { try HeldMessage.read(from: tag) }
        #expect(error?.kind == .tagGone)
    }

    @Test func anEndAfterALockIsAnInterruptedLock() {
        #expect(TagError(after: SessionError.ended) == .reader(.aborted))
        #expect(TagError(after: ReaderError.tagLost) == .reader(.tagLost))
        #expect(TagError(after: CancellationError()) == nil)
    }
}
