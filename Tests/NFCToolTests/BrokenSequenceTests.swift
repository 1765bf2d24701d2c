// The result of failed raw commands for scripts

import ReaderInterface
import TagTypes
import Testing

@testable import nfctool

@Suite struct BrokenSequenceTests {
    private static let sequence = RawSequence(
        language: .own, commands: [0x30, 0x3A].map { RawCommand(bytes: [$0, 0xFF], expected: nil) })

    @Test(
        arguments: [
            (.nak(0), ["found": .text("NAK 0")]), (.noStatus(length: 1), ["found": .text("1 byte")]),
            (
                .status(found: StatusWord(rawValue: 0x6A82), StatusPattern("90xx")!),
                ["found": .text("6A82"), "expected": .text("90xx")]
            ),
        ] as [(BrokenSequence.Reason, [String: FailureDetail])])
    func whatWasFoundIsAmongTheDetails(reason: BrokenSequence.Reason, found: [String: FailureDetail]) throws {
        let failure = try #require(TagFailure(BrokenSequence(Self.sequence, at: 1, reason)))
        #expect(failure.name == .tagProtocol)
        #expect(failure.details == found.merging(["command": .text("3AFF"), "number": .number(2)]) { $1 })
    }

    @Test(arguments: [true, false]) func theAdviceNamesTheKeyOfAnAuthenticationOnly(isAuthentication: Bool) throws {
        let silence = BrokenSequence(Self.sequence, at: 0, .reader(.noAnswer), isAuthentication: isAuthentication)
        let failure = try #require(TagFailure(silence))
        let advice = try #require(Advice(for: failure)).text
        #expect(advice.contains("if the key is wrong") == isAuthentication, "\(advice)")
        let lost = BrokenSequence(Self.sequence, at: 0, .reader(.tagLost), isAuthentication: isAuthentication)
        let loss = try #require(TagFailure(lost))
        #expect(
            Advice(for: loss)?.text
                == "Hold the tag still on the reader and run the command again.")
    }

    @Test(arguments: [
        (ReaderError.noAnswer, ErrorName.tagLost), (.tagLost, .tagLost), (.aborted, .interrupted),
        (.readerFailed(operation: "sending a tag command", reason: "it did not answer", code: -1), .readerIO),
    ])
    func aFailureOfTheReaderKeepsItsName(error: ReaderError, name: ErrorName) throws {
        #expect(TagFailure(BrokenSequence(Self.sequence, at: 0, .reader(error)))?.name == name)
    }
}
