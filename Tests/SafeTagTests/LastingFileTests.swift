// Paths of dumps that a later command can use again

import Foundation
import Testing

@testable import SafeTag

@Suite struct LastingFileTests {
    @Test func onlyARegularFileLasts() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "dump.json")
        #expect(!LastingFile.isAt(file.path))
        try Data("{}".utf8).write(to: file)
        #expect(LastingFile.isAt(file.path))
        let link = folder.appending(path: "link.json")
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: file)
        #expect(LastingFile.isAt(link.path))
        let pipe = folder.appending(path: "pipe")
        #expect(mkfifo(pipe.path, 0o600) == 0)
        for path in [pipe.path, folder.path, "/dev/fd/0", "/dev/null", "/proc/self/status"] {
            #expect(!LastingFile.isAt(path), "\(path)")
        }
    }
}
