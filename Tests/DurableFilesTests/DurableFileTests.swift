// Files that are replaced in one step

import DurableFiles
import Foundation
import SystemPackage
import Testing

@Suite final class DurableFileTests {
    private let folder = FileManager.default.temporaryDirectory.appending(path: "durable-\(UUID().uuidString)")
    private var file: URL { folder.appending(path: "entry.json") }

    init() throws { try DurableFile.makeFolder(folder) }

    deinit { try? FileManager.default.removeItem(at: folder) }

    private var names: [String] {
        get throws { try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted() }
    }

    private func permissions(of file: URL) throws -> Int? {
        try FileManager.default.attributesOfItem(atPath: file.path)[.posixPermissions] as? Int
    }

    @Test func foldersAndFilesAreForTheirOwnerAlone() throws {
        let inner = folder.appending(path: "a/b")
        try DurableFile.makeFolder(inner)
        try DurableFile.makeFolder(inner)
        try DurableFile.write(Data("x".utf8), to: file)
        #expect(try permissions(of: inner) == 0o700)
        #expect(try permissions(of: file) == 0o600)
    }

    @Test func aWriteReplacesTheWholeFile() throws {
        try DurableFile.write(Data("a longer text".utf8), to: file)
        try DurableFile.write(Data("short".utf8), to: file)
        #expect(try DurableFile.read(file, atMost: 100) == Data("short".utf8))
        #expect(try DurableFile.read(file, atMost: 2) == Data("sh".utf8))
        #expect(try names == ["entry.json"])
    }

    @Test func aMissingFileIsNoError() throws {
        #expect(try DurableFile.read(file, atMost: 100) == nil)
        try DurableFile.remove(file)
        #expect(try !DurableFile.drop(file))
    }

    @Test func filesSetAsideKeepEachOther() throws {
        for text in ["1", "2"] {
            try DurableFile.write(Data(text.utf8), to: file)
            try DurableFile.setAside(file, as: "damaged")
        }
        #expect(try names == ["entry.json.damaged-1", "entry.json.damaged-2"])
    }

    @Test func aWriteCanKeepTheFilesThatItReplaces() throws {
        for text in ["1", "2", "3"] {
            try DurableFile.write(Data(text.utf8), to: file, settingAside: "superseded")
        }
        #expect(try names == ["entry.json", "entry.json.superseded-1", "entry.json.superseded-2"])
        #expect(try DurableFile.read(file, atMost: 100) == Data("3".utf8))
        for number in 1...2 {
            let kept = folder.appending(path: "entry.json.superseded-\(number)")
            #expect(try DurableFile.read(kept, atMost: 100) == Data("\(number)".utf8))
        }
    }

    @Test func aFileStaysInItsPlaceIfItCannotBeReplaced() throws {
        // The name of the replacement would be longer than 255 bytes.
        let file = folder.appending(path: String(repeating: "x", count: 245))
        try Data("old".utf8).write(to: file)
        #expect(throws: Errno.fileNameTooLong) {
            try DurableFile.write(Data("new".utf8), to: file, settingAside: "kept")
        }
        #expect(try names == [file.lastPathComponent])
    }

    @Test func aReplacementThatIsNotCommittedLeavesNothingBehind() throws {
        try DurableFile.write(Data("old".utf8), to: file)
        do {
            let replacement = try FileReplacement(of: file, suffix: ".new", permissions: 0o600)
            try replacement.append(Array("new".utf8))
        }
        #expect(try DurableFile.read(file, atMost: 100) == Data("old".utf8))
        #expect(try names == ["entry.json"])
    }

    @Test func onlyAFileThatNoProcessIsWritingIsAbandoned() throws {
        let name = "entry.json.5A01C3F7.new"
        let replacement = try FileReplacement(of: file, suffix: ".5A01C3F7.new", permissions: 0o600)
        try replacement.append(Array("new".utf8))
        try FileReplacement.removeAbandoned(folder.appending(path: name))
        #expect(try names == [name])
        try replacement.commit()
        // A file that a killed process left.
        try Data("left".utf8).write(to: folder.appending(path: name))
        for _ in 1...2 { try FileReplacement.removeAbandoned(folder.appending(path: name)) }
        #expect(try names == ["entry.json"])
    }

    @Test func anIncompleteFileIsRecognisedByItsName() {
        for name in ["04A1.json", ""] {
            #expect(FileReplacement.destination(ofTemporary: name + FileReplacement.newSuffix()) == name)
        }
        for name in ["", ".new", "a.new", "a.5A01C3F7", "a.5a01c3f7.new", "a.+A01C3F7.new", "a.A01C3F7.new"] {
            #expect(FileReplacement.destination(ofTemporary: name) == nil, "\(name)")
        }
    }

    @Test func aFileThatMayNotBeReplacedStays() throws {
        let replacement = try FileReplacement(of: file, suffix: ".new", permissions: 0o600)
        try DurableFile.write(Data("another's".utf8), to: file.deletingPathExtension())
        try DurableFile.move(file.deletingPathExtension(), to: file)
        try replacement.append(Array("new".utf8))
        #expect(throws: Errno.fileExists) { try replacement.commit(replacing: false) }
        #expect(try DurableFile.read(file, atMost: 100) == Data("another's".utf8))
    }

    @Test func aRefusalHasTheSystemsReason() {
        let place = folder.appending(path: "none/entry.json")
        #expect(throws: Errno.noSuchFileOrDirectory) { try DurableFile.write(Data(), to: place) }
        #expect(Errno.noSuchFileOrDirectory.description == "No such file or directory")
    }
}
