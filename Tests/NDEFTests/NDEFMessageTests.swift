import NDEF
import Testing

@Suite struct NDEFMessageTests {
    @Test(arguments: canonicalMessages + otherMessages)
    func validMessageDecodesToItsRecords(_ message: ValidMessage) throws {
        #expect(try NDEFMessage(bytes: message.bytes).records == message.records)
    }

    @Test(arguments: canonicalMessages)
    func canonicalMessageEncodesToTheSameBytes(_ message: ValidMessage) throws {
        let decoded = try NDEFMessage(bytes: message.bytes)
        #expect(try decoded.encoded() == message.bytes)
        #expect(decoded.length == message.bytes.count)
    }

    @Test(arguments: canonicalMessages + otherMessages)
    func encodedRecordsDecodeToTheSameRecords(_ message: ValidMessage) throws {
        let original = NDEFMessage(records: message.records)
        let bytes = try original.encoded()
        #expect(try NDEFMessage(bytes: bytes) == original)
        #expect(original.length == bytes.count)
        #expect(message.records.map(\.encodedLength).reduce(0, +) == bytes.count)
    }

    @Test(arguments: canonicalMessages + otherMessages)
    func messageCutShortIsNeverAccepted(_ message: ValidMessage) {
        for count in message.bytes.indices {
            #expect(throws: NDEFError.self) { try NDEFMessage(bytes: Array(message.bytes.prefix(count))) }
        }
    }

    @Test(arguments: canonicalMessages + otherMessages)
    func bytesAfterTheMessageAreNeverAccepted(_ message: ValidMessage) {
        for extra in [hex("00"), hex("FE"), hex("D0 00 00"), message.bytes] {
            #expect(throws: NDEFError.self) { try NDEFMessage(bytes: message.bytes + extra) }
        }
    }

    @Test func messageWithoutRecordsIsNoBytes() throws {
        let message = NDEFMessage(records: [])
        #expect(try message.encoded() == [])
        #expect(message.length == 0)
    }

    @Test func payloadOf255BytesIsShortAnd256IsNot() {
        #expect(NDEFRecord.of(.unknown, [UInt8](repeating: 0, count: 255)).encodedLength == 3 + 255)
        #expect(NDEFRecord.of(.unknown, [UInt8](repeating: 0, count: 256)).encodedLength == 6 + 256)
    }

    @Test func payloadsUpToTenMebibytesAreAcceptedInOneRecordInChunksAndInRecords() throws {
        let limit = NDEFMessage.maximumPayloadLength
        #expect(limit == 10_485_760)
        let half = [UInt8](repeating: 0x5A, count: limit / 2)
        let whole = NDEFMessage(records: [.of(.unknown, half + half)])
        #expect(try NDEFMessage(bytes: whole.encoded()) == whole)
        let halves = NDEFMessage(records: [.of(.unknown, half), .of(.unknown, half)])
        #expect(try NDEFMessage(bytes: halves.encoded()) == halves)
        let chunks = hex("A5 00 00 50 00 00") + half + hex("46 00 00 50 00 00") + half
        #expect(try NDEFMessage(bytes: chunks) == whole)
    }
}
