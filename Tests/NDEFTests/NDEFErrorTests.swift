import NDEF
import Testing

@Suite struct NDEFErrorTests {
    /// The 17 messages of Android's NdefTest.java, testInvalidParsing, in its order.
    @Test(arguments: [
        ("", "MB at offset 0 needs 1 byte; 0 are left."),
        ("D0", "TYPE_LENGTH at offset 1 needs 1 byte; 0 are left."),
        ("D0 00", "PAYLOAD_LENGTH at offset 2 needs 1 byte; 0 are left."),
        ("D0 00 00 00 00", "ME ended the message, but 2 bytes follow at offset 3."),
        ("50 00 00", "MB at offset 0 is 0; expected 1 in the first record."),
        ("90 00 00", "ME at offset 0 is 0; expected 1 in the last record."),
        ("C0 00 00 00", "PAYLOAD_LENGTH at offset 2 needs 4 bytes; 2 are left."),
        ("C0 00 00 00 00", "PAYLOAD_LENGTH at offset 2 needs 4 bytes; 3 are left."),
        ("C0 00 00 00 00 00 00", "ME ended the message, but 1 byte follows at offset 6."),
        ("D8 01 03 01 00 00 00 00", "TYPE_LENGTH at offset 1 is 1; expected 0 in an Empty record."),
        ("D8 01 03 01 00 00 00 00 00 00", "TYPE_LENGTH at offset 1 is 1; expected 0 in an Empty record."),
        ("D8 00 00 01 00", "ID_LENGTH at offset 3 is 1; expected 0 in an Empty record."),
        ("90 00 00 10 00 00", "ME at offset 3 is 0; expected 1 in the last record."),
        ("F5 00 00", "ME at offset 0 is 1; expected 0 while CF is 1."),
        ("D6 00 00", "TNF at offset 0 is 6; expected 0 to 5 or 7 where a record begins."),
        ("B6 00 01 01 56 00 01 02", "TNF at offset 0 is 6; expected 0 to 5 or 7 where a record begins."),
        ("C5 00 FF FF FF FF", "PAYLOAD_LENGTH at offset 2 is 4294967295; expected at most 10485760."),
    ])
    func androidsInvalidMessagesAreRejectedWithAReason(bytes: String, text: String) {
        expectError(hex(bytes), text)
    }

    @Test(arguments: [
        ("D1 01 FA 55 41 42", "PAYLOAD at offset 4 needs 250 bytes; 2 are left."),
        ("D1 01 02 55 41", "PAYLOAD at offset 4 needs 2 bytes; 1 is left."),
        ("D1 02 00 55", "TYPE at offset 3 needs 2 bytes; 1 is left."),
        ("D9 00 00 01", "ID at offset 4 needs 1 byte; 0 are left."),
        ("C9 00 00 00 00 00", "ID_LENGTH at offset 6 needs 1 byte; 0 are left."),
        ("D0 00 01 41", "PAYLOAD_LENGTH at offset 2 is 1; expected 0 in an Empty record."),
        ("C8 00 00 00 00 00 01 41", "ID_LENGTH at offset 6 is 1; expected 0 in an Empty record."),
        ("B0 00 00 56 00 01 41", "PAYLOAD_LENGTH at offset 5 is 1; expected 0 in an Empty record."),
        ("D5 01 00 41", "TYPE_LENGTH at offset 1 is 1; expected 0 under TNF 5."),
        ("D7 01 00 41", "TYPE_LENGTH at offset 1 is 1; expected 0 under TNF 7."),
        ("90 00 00 D0 00 00", "MB at offset 3 is 1; expected 0 after the first record."),
        ("B5 00 01 01 D6 00 01 02", "MB at offset 4 is 1; expected 0 in a chunk after the first."),
        ("B5 00 01 01 5E 00 01 01 02 02", "IL at offset 4 is 1; expected 0 in a chunk after the first."),
        ("B5 00 01 01 55 00 01 02", "TNF at offset 4 is 5; expected 6 in a chunk after the first."),
        ("B5 00 01 01 56 01 01 02 02", "TYPE_LENGTH at offset 5 is 1; expected 0 in a chunk after the first."),
        ("B5 00 01 01 76 00 01 02", "ME at offset 4 is 1; expected 0 while CF is 1."),
        ("B5 00 01 01", "CF at offset 0 is 1; expected 0 in the last chunk."),
        ("B5 00 01 01 36 00 01 02", "CF at offset 4 is 1; expected 0 in the last chunk."),
        // The bytes of all chunks are added up, not only those of the first
        (
            "A5 00 00 00 00 00  26 00 00 00 00 01 41  46 00 00 A0 00 00",
            "PAYLOAD_LENGTH at offset 15 is 10485760; expected at most 10485759."
        ),
        // PAYLOAD_LENGTH near 2^32 makes proxmark3's ndefDecodeHeader loop forever (measured 2026-11).
        ("81 01 FF FF FF F9 55 00", "PAYLOAD_LENGTH at offset 2 is 4294967289; expected at most 10485760."),
        ("C5 00 00 A0 00 01", "PAYLOAD_LENGTH at offset 2 is 10485761; expected at most 10485760."),
        (
            "85 00 00 00 00 01 41 45 00 00 A0 00 00",
            "PAYLOAD_LENGTH at offset 9 is 10485760; expected at most 10485759."
        ),
        (
            "A5 00 00 00 00 01 41 46 00 00 A0 00 00",
            "PAYLOAD_LENGTH at offset 9 is 10485760; expected at most 10485759."
        ),
    ])
    func brokenRuleIsNamedWithFieldAndOffset(bytes: String, text: String) {
        expectError(hex(bytes), text)
    }

    @Test func errorCarriesItsPartsAsValues() {
        let error = #expect(throws: NDEFError.self) { try NDEFMessage(bytes: hex("D1 01 FA 55 41 42")) }
        #expect(error?.field == .payload)
        #expect(error?.offset == 4)
        #expect(error?.problem == .missing(needed: 250, left: 2))
    }

    @Test(arguments: [
        (
            NDEFRecord.of(.media, type: [UInt8](repeating: 1, count: 256)),
            "TYPE_LENGTH at offset 4 is 256; expected at most 255."
        ),
        (.of(.media, id: [UInt8](repeating: 1, count: 256)), "ID_LENGTH at offset 6 is 256; expected at most 255."),
        (.of(.empty, [1]), "PAYLOAD_LENGTH at offset 5 is 1; expected 0 in an Empty record."),
        (.of(.empty, type: [1]), "TYPE_LENGTH at offset 4 is 1; expected 0 in an Empty record."),
        (.of(.empty, id: [1]), "ID_LENGTH at offset 6 is 1; expected 0 in an Empty record."),
        (.of(.unknown, type: [1]), "TYPE_LENGTH at offset 4 is 1; expected 0 under TNF 5."),
        (.of(.unchanged), "TNF at offset 3 is 6; expected 0 to 5 or 7 where a record begins."),
    ])
    func recordThatCannotBeStoredIsNotEncoded(record: NDEFRecord, text: String) {
        let error = #expect(throws: NDEFError.self) { try NDEFMessage(records: [.none, record]).encoded() }
        #expect(error?.description == text)
    }

    @Test func payloadBeyondTenMebibytesIsNotEncodedInOneRecordNorInTwo() {
        let half = NDEFRecord.of(.unknown, [UInt8](repeating: 0, count: NDEFMessage.maximumPayloadLength / 2))
        let tooMuch = NDEFRecord.of(.unknown, half.payload + [0])
        let error = #expect(throws: NDEFError.self) { try NDEFMessage(records: [half, tooMuch]).encoded() }
        #expect(error?.description == "PAYLOAD_LENGTH at offset 5242888 is 5242881; expected at most 5242880.")
        let whole = NDEFRecord.of(.unknown, tooMuch.payload + half.payload)
        #expect(throws: NDEFError.self) { try NDEFMessage(records: [whole]).encoded() }
    }

    private func expectError(_ bytes: [UInt8], _ text: String) {
        let error = #expect(throws: NDEFError.self) { try NDEFMessage(bytes: bytes) }
        #expect(error?.description == text)
    }
}
