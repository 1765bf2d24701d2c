// The examples in Docs/Examples on virtual readers: each does what its first line says

import Foundation
import Subprocess
import SystemPackage
import Testing

@Suite(.serialized, .timeLimit(.minutes(5))) struct ExampleTests {
    @Test func theMessageReaderListsShowsAndWrites() async throws {
        let outcome = try await Program.run(
            "MessageReader", input: "l\ns\nl\n1\nw 1\nw 2\nx\nq\n", reader: "virtual")
        #expect(outcome.status == .exited(0))
        #expect(outcome.errors == "")
        #expect(
            outcome.output.split(separator: "\n").dropFirst().joined(separator: "\n") == """
                Nothing scanned yet.
                Hold a tag to the reader.
                1  Hello from nfctool · https://example.com
                1  Hello from nfctool · https://example.com
                41 bytes, 2 records
                1. nfcWellKnown, type T
                   text (en) Hello from nfctool
                   payload 02 65 6E 48 65 6C 6C 6F 20 66 72 6F 6D 20 6E 66 63 74 6F 6F 6C
                2. nfcWellKnown, type U
                   URI https://example.com
                   payload 04 65 78 61 6D 70 6C 65 2E 63 6F 6D
                Hold the tag to write to the reader.
                Written: Hello from nfctool · https://example.com
                There is no such message or command.
                There is no such message or command.
                """)
    }

    @Test func theMessageReaderTellsWhatATagCannotDo() async throws {
        let empty = try await Program.run("MessageReader", input: "s\nl\n", reader: "virtual:ntag213")
        #expect(empty.output.hasSuffix("NDEF tag does not contain any NDEF message.\nNothing scanned yet.\n"))
        #expect(empty.status == .exited(0))
        let missing = try await Program.run("MessageReader", input: "s\n", reader: "virtual:nosuch")
        #expect(missing.status == .exited(1))
        #expect(missing.output.hasPrefix("There is no reader."))
    }

    @Test func theMessageReaderTellsThatAnotherProgramUsesTheTag() async throws {
        try await Program.withFolder { folder in
            let file = folder.appending("badge.nfc").string
            let reader = "virtual:\(file)"
            _ = try await Program.run("MessageReader", input: "q\n", reader: reader)  // creates the file
            let holder = Process()
            holder.executableURL = URL(filePath: "/bin/sh")
            holder.arguments = ["-c", "exec 3<'\(file)'; flock -xn 3; echo held; read line"]
            let (input, output) = (Pipe(), Pipe())
            holder.standardInput = input
            holder.standardOutput = output
            try holder.run()
            #expect(output.fileHandleForReading.availableData == Data("held\n".utf8))
            let outcome = try await Program.run("MessageReader", input: "s\nq\n", reader: reader)
            // The reader is available, but busy.
            #expect(outcome.output.hasSuffix("Hold a tag to the reader.\nSystem resource unavailable.\n"))
            #expect(outcome.status == .exited(0))
            try input.fileHandleForWriting.close()
            holder.waitUntilExit()
        }
    }

    @Test func theRecordPrinterShowsEveryField() async throws {
        let outcome = try await Program.run("RecordPrinter", ["--once"], reader: "virtual")
        #expect(outcome.status == .exited(0))
        #expect(
            outcome.output == """
                Message of 41 bytes, 2 records
                1  TNF      1 (well-known)
                   type     T
                   id       –
                   payload  02 65 6E 48 65 6C 6C 6F 20 66 72 6F 6D 20 6E 66 63 74 6F 6F 6C
                2  TNF      1 (well-known)
                   type     U
                   id       –
                   payload  04 65 78 61 6D 70 6C 65 2E 63 6F 6D

                """)
    }

    @Test func theRecordPrinterTellsWhyItEnds() async throws {
        let outcome = try await Program.run("RecordPrinter", reader: "pn532_uart:/dev/nosuch")
        #expect(outcome.status == .exited(1))
        #expect(
            outcome.errors
                == "RecordPrinter: Feature not supported. No reader answered at pn532_uart:/dev/nosuch.\n")
    }

    private static let tagLines = """
        UID      04 A1 B2 C3 D4 E5 80
        page 3   E1 10 3E 00
        record   "Hello from nfctool"
        record   https://example.com

        """

    @Test func theTagReaderSendsACommandAndReadsTheMessage() async throws {
        let outcome = try await Program.run("TagReader", reader: "virtual")
        #expect(outcome.status == .exited(0))
        #expect(outcome.output == Self.tagLines)
        // Standard error is no terminal, so it does not get the session's texts.
        #expect(outcome.errors == "")
    }

    @Test func aTerminalGetsTheTextsForTheUser() async throws {
        let program = "'\(Program.products.appending("TagReader").string)'"
        let outcome = try await Program.run(.name("script"), ["-qec", program, "/dev/null"], reader: "virtual")
        #expect(outcome.status == .exited(0))
        let lines = outcome.output.replacing("\r\n", with: "\n")
        #expect(lines.contains("Hold a tag to the reader.\n"), "\(lines)")
        #expect(lines.hasSuffix(Self.tagLines), "\(lines)")
    }

    @Test(arguments: [
        ("virtual:ntag213", "NDEF tag does not contain any NDEF message"),
        ("pn532_uart:/dev/nosuch", "Feature not supported. No reader answered at pn532_uart:/dev/nosuch."),
    ])
    func theTagReaderTellsWhyItFails(_ reader: String, _ reason: String) async throws {
        let outcome = try await Program.run("TagReader", reader: reader)
        #expect(outcome.status == .exited(1))
        #expect(outcome.errors.hasPrefix("TagReader: " + reason), "\(outcome.errors)")
    }

    @Test func theKioskEndsWithoutItsReader() async throws {
        let outcome = try await Program.run("Kiosk", reader: "pn532_uart:/dev/nosuch")
        #expect(outcome.status == .exited(1))
        #expect(outcome.output == "Closed: Feature not supported. No reader answered at pn532_uart:/dev/nosuch.\n")
    }

    @Test func theKioskGivesItsReaderBackWhenSystemdEndsIt() async throws {
        let outcome = try await Program.start("Kiosk", reader: "virtual") { line, process in
            #expect(line == "Hello, Hello from nfctool!")
            kill(process, SIGTERM)
        }
        #expect(outcome.status == .exited(0))
        #expect(outcome.output == "Closed: Session invalidated by user")
        #expect(outcome.errors == "")
    }

    @Test func theRecordPrinterListsTheReaderOfTheEnvironment() async throws {
        let outcome = try await Program.run("RecordPrinter", ["--readers"], reader: "virtual:ntag213")
        #expect(outcome.output.split(separator: "\n").first == "virtual:ntag213  Virtual reader")
        #expect(outcome.status == .exited(0))
    }

    @Test func theKioskGreets() async throws {
        #expect(try await Program.firstLine(of: "Kiosk", reader: "virtual") == "Hello, Hello from nfctool!")
    }

    @Test func theKioskHasFortyLinesAtMost() throws {
        let path = Program.package.appending("Docs/Examples/Kiosk/Kiosk.swift").string
        #expect(
            try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n", omittingEmptySubsequences: false)
                .count <= 41)
    }

    @Test func theSafeWriterFinishesATagThatWasPulledAway() async throws {
        let outcome = try await Program.run(
            "SafeWriter", ["https://example.com/a"], reader: "virtual:ntag213?tear=8&back=2s")
        #expect(outcome.status == .exited(0))
        let lines = outcome.output.split(separator: "\n")
        #expect(lines.first?.hasSuffix("Place it on the reader again.") == true, "\(outcome.output)")
        #expect(lines.last == "NTAG213 0410571F000180 holds https://example.com/a, read back and compared.")
    }

    @Test func theSafeWriterChangesNothingForGood() async throws {
        let outcome = try await Program.run("SafeWriter", reader: "virtual:ultralight")
        #expect(outcome.status == .exited(1))
        #expect(outcome.output == "This change cannot be undone and was not confirmed. Nothing was changed.\n")
    }

    @Test func theBatchEncoderGivesEachRowToATagOnce() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let list = folder.appending(path: "tags.csv").path
        try "uri\nhttps://example.com/1\nhttps://example.com/2\n".write(toFile: list, atomically: true, encoding: .utf8)
        let first = try await Program.run("BatchEncoder", [list], reader: "virtual:ntag213*2?stream")
        #expect(first.status == .exited(0))
        #expect(
            first.output.hasSuffix(
                """
                row 1  0410571F000180  18 bytes, verified
                row 2  0410571F000280  18 bytes, verified
                2 of 2 rows are done.

                """), "\(first.output)")
        let second = try await Program.run("BatchEncoder", [list], reader: "virtual:ntag213*2?stream")
        #expect(second.output == "2 of 2 rows are done.\n")
    }

    @Test(arguments: [("SafeWriter", 40), ("BatchEncoder", 60)])
    func theProgramsOverTheLibrariesAreShort(_ name: String, _ limit: Int) throws {
        let path = Program.package.appending("Docs/Examples/\(name)/\(name).swift").string
        #expect(try String(contentsOfFile: path, encoding: .utf8).split(separator: "\n").count < limit)
    }

    @Test(arguments: ["MessageReader", "RecordPrinter", "TagReader", "Kiosk"])
    func theExamplesImportNothingElse(_ name: String) throws {
        let folder = Program.package.appending("Docs/Examples/\(name)").string
        for file in try FileManager.default.contentsOfDirectory(atPath: folder) {
            let lines = try String(contentsOfFile: "\(folder)/\(file)", encoding: .utf8).split(separator: "\n")
            #expect(lines.filter { $0.hasPrefix("import") || $0.contains(" import ") } == ["import CoreNFC"], "\(file)")
        }
    }
}
