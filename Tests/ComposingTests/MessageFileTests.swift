// A message in a file: bytes, hexadecimal text, and other content

import Composing
import Foundation
import NDEF
import Testing

@Suite struct MessageFileTests {
    /// An empty record: MB, ME and SR, no type, no payload.
    private static let message: [UInt8] = [0xD0, 0x00, 0x00]

    private func read(_ contents: [UInt8], isHex: Bool) throws -> NDEFMessage {
        let path = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path
        try Data(contents).write(to: URL(fileURLWithPath: path))
        defer { try? FileManager.default.removeItem(atPath: path) }
        let file = MessageFile(path: path, isHex: isHex)
        return try file.message(try file.bytes())
    }

    @Test func aFileHoldsTheBytesOfAMessage() throws {
        #expect(try read(Self.message, isHex: false).records.count == 1)
    }

    @Test func aFileOfHexadecimalTextHoldsTheSame() throws {
        #expect(try read(Array("D0 00\n00".utf8), isHex: true).records.count == 1)
    }

    @Test func hexadecimalTextInThePlaceOfBytesIsRecognised() throws {
        let error = #expect(throws: InputError.self) { try read(Array("D00000".utf8), isHex: false) }
        guard case .hexText? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }

    @Test func bytesThatAreNoMessageAreRefused() throws {
        let error = #expect(throws: InputError.self) { try read([0xD0, 0x00], isHex: false) }
        guard case .notMessage? = error else {
            Issue.record("\(String(describing: error))")
            return
        }
    }
}
