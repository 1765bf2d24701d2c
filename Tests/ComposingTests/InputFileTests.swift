// Files that are read completely

import Composing
import Foundation
import NDEF
import Testing

@Suite struct InputFileTests {
    @Test func fileIsReadUpToTenMebibytes() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "InputFileTests-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data(count: InputFile.maximumLength).write(to: file)
        #expect(try InputFile(path: file.path).read().count == InputFile.maximumLength)
        try Data(count: InputFile.maximumLength + 1).write(to: file)
        #expect(throws: InputError.tooLong(source: file.path)) { try InputFile(path: file.path).read() }
    }

    @Test func textIsReadWithoutItsByteOrderMark() throws {
        let file = FileManager.default.temporaryDirectory.appending(path: "InputFileTests-\(UUID())")
        defer { try? FileManager.default.removeItem(at: file) }
        try Data([0xEF, 0xBB, 0xBF] + "12345678\r\n".utf8).write(to: file)
        #expect(try InputFile(path: file.path).readText() == "12345678\r\n")
        try Data([0xEF, 0xBB, 0x41]).write(to: file)
        #expect(try InputFile(path: file.path).readText() == "\u{FFFD}A")
    }
}
