// Requests and responses of ISO 15693 — ISO/IEC 15693-3
import Hexadecimal
import Testing

@testable import TagTypes

@Suite struct ISO15693CommandTests {
    private let uid = bytes("E004 0150 0123 4567")

    @Test func aRequestIsItsFrame() {
        let rows: [(ISO15693Command, String)] = [
            (ISO15693Command(.readSingleBlock, [0x05]), "22 20 67 45 23 01 50 01 04 E0 05"),
            (
                ISO15693Command(.writeSingleBlock, [0x05, 1, 2, 3, 4], .option),
                "62 21 67 45 23 01 50 01 04 E0 05 01 02 03 04"
            ),
            (
                ISO15693Command(.getSystemInformation, [], .protocolExtension), "2A 2B 67 45 23 01 50 01 04 E0"
            ),
            // The request field precedes the UID.
            (
                ISO15693Command(.extendedGetSystemInformation, field: 0x0F), "22 3B 0F 67 45 23 01 50 01 04 E0"
            ),
        ]
        for (command, frame) in rows { #expect(command.frame(to: uid).spacedHex == frame) }
    }

    @Test func aResponseIsDataOrAnError() throws {
        #expect(try ISO15693Answer(bytes("00 01 02")) == .data([1, 2]))
        #expect(try ISO15693Answer(bytes("00")) == .data([]))
        #expect(try ISO15693Answer(bytes("01 12")) == .error(.locked))
        #expect(try ISO15693Answer(bytes("01")) == .error(.unknown))
        #expect(throws: TagError.self) { try ISO15693Answer([]) }
    }

    @Test func systemInformationHasTheFieldsThatItsFlagsName() throws {
        let all = try #require(
            ISO15693SystemInformation(bytes("0F 67452301500104E0 11 22 1B 03 44"), form: .standard))
        #expect(all.uid == uid && all.dsfid == 0x11 && all.afi == 0x22 && all.icReference == 0x44)
        #expect(all.memory?.blockCount == 28 && all.memory?.blockSize == 4)
        let extended = try #require(
            ISO15693SystemInformation(bytes("04 67452301500104E0 FF 07 03"), form: .extended))
        #expect(extended.memory?.blockCount == 2048 && extended.dsfid == nil && extended.icReference == nil)
        // Bits 8…6 of the block size are RFU.
        #expect(
            ISO15693SystemInformation(bytes("04 67452301500104E0 00 FF"), form: .standard)?.memory?.blockSize == 32)
    }

    @Test func systemInformationThatIsCutOffIsNone() {
        let whole = bytes("0F 67452301500104E0 11 22 1B 03 44")
        for count in 0..<whole.count {
            #expect(ISO15693SystemInformation(Array(whole[..<count]), form: .standard) == nil)
        }
    }
}
