// A file that gets one more line for each tag

import Foundation
import SystemPackage
import Testing

@testable import TagFeed

@Suite struct AppendedLinesTests {
    private func withFile(_ body: (String) throws -> Void) throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try body(folder.appending(path: "tags.csv").path)
    }

    private func text(_ path: String) throws -> String { try String(contentsOfFile: path, encoding: .utf8) }

    @Test func onlyANewFileGetsTheHeader() throws {
        try withFile { path in
            for line in ["1,a\r\n", "2,b\r\n"] { try AppendedLines(path: path, header: "n,x\r\n").append(line) }
            #expect(try text(path) == "n,x\r\n1,a\r\n2,b\r\n")
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }

    @Test func twoProgramsAppendToOneFile() throws {
        try withFile { path in
            let (one, other) = (try AppendedLines(path: path), try AppendedLines(path: path))
            try one.append("1\n")
            try other.append("2\n")
            try one.append("3\n")
            #expect(try text(path) == "1\n2\n3\n")
        }
    }

    @Test func aLineThatWasCutOffIsEndedFirst() throws {
        try withFile { path in
            try "n,x\r\n1,".write(toFile: path, atomically: true, encoding: .utf8)
            try AppendedLines(path: path, header: "n,x\r\n").append("2,b\r\n")
            #expect(try text(path) == "n,x\r\n1,\r\n2,b\r\n")
        }
    }

    @Test func aFileWithOtherContentIsLeftAlone() throws {
        try withFile { path in
            for old in ["name,address\r\n", "n"] {
                try old.write(toFile: path, atomically: true, encoding: .utf8)
                #expect(throws: AppendedLines.Refusal.self) { try AppendedLines(path: path, header: "n,x\r\n") }
                #expect(throws: AppendedLines.Refusal.self) { try AppendedLines(path: path, beginning: "{") }
                #expect(try text(path) == old)
            }
        }
    }

    @Test(arguments: ["/dev/null", "/tmp", "/nonexistent/tags.csv"])
    func whatIsNoFileIsRefused(path: String) {
        #expect(throws: AppendedLines.Refusal.self) { try AppendedLines(path: path) }
    }
}
