// Programs that import only CoreNFC, with a chip whose replies make libnfc call abort()

import Foundation
import Glibc
import Testing
import VirtualPN532

@testable import ReaderProcess

extension ReaderProcesses {
    @Suite(.serialized, .timeLimit(.minutes(5))) struct AppSurvivalTests {
        private static let products = URL(filePath: Program.path).deletingLastPathComponent()
        private static let example = "RecordPrinter"
        private static let notice = "libnfc runs in this process"

        private struct End {
            let reason: Process.TerminationReason
            let status: Int32
            let output: String
            let errors: String
        }

        private func run(
            _ program: URL, _ arguments: [String] = ["--once"], reader: String, host: String? = nil,
            path: String = "/usr/bin:/bin", logLevel: String? = nil
        ) throws -> End {
            var environment = ProcessInfo.processInfo.environment
            environment["NFCTOOL_READER"] = reader
            environment["NFCTOOL_HOST"] = host
            environment["PATH"] = path
            environment["LIBNFC_LOG_LEVEL"] = logLevel
            environment["SWIFT_BACKTRACE"] = "enable=no"
            let process = Process()
            let (output, errors) = (Pipe(), Pipe())
            process.executableURL = program
            process.arguments = arguments
            process.environment = environment
            process.standardInput = FileHandle.nullDevice
            (process.standardOutput, process.standardError) = (output, errors)
            try process.run()
            let said = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            let printed = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
            process.waitUntilExit()
            return End(
                reason: process.terminationReason, status: process.terminationStatus, output: printed, errors: said)
        }

        /// Creates a chip with a message, on a line that sets the NAD bit in each answer of the tag.
        private func withDeadlyChip(_ body: (String) throws -> Void) throws {
            let chip = try VirtualReader(tags: [VirtualTagKind.demonstration()])
            let line = MutatingLine(to: chip.path, .nad)
            defer {
                line.stop()
                chip.stop()
            }
            try body(line.connection)
        }

        /// Creates a copy of the example in a separate folder, without nfctool unless the body puts it there.
        private func withCopy(_ body: (_ program: URL, _ folder: URL) throws -> Void) throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "survival-\(UUID().uuidString)")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let program = folder.appending(path: Self.example)
            try FileManager.default.copyItem(at: Self.products.appending(path: Self.example), to: program)
            try body(program, folder)
        }

        private func putScript(_ text: String, in folder: URL) throws {
            let script = folder.appending(path: "nfctool")
            try Data("#!/bin/bash\n\(text)\n".utf8).write(to: script)
            try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: script.path)
        }

        private func expectSurvival(_ end: End) {
            #expect(end.reason == .exit && end.status == 1)
            #expect(end.errors.contains("Session invalidated unexpectedly"), "\(end.errors)")
            #expect(end.errors.contains("libnfc crashed on what it sent"), "\(end.errors)")
            #expect(!end.errors.contains(Self.notice))
        }

        @Test func withNfctoolBesideItAnAppSurvivesTheEndOfLibnfc() throws {
            try withDeadlyChip { expectSurvival(try run(Self.products.appending(path: Self.example), [], reader: $0)) }
        }

        /// This test validates the other tests: the same app, with libnfc in its own process, is terminated.
        @Test func withoutAProcessForItsReaderTheSameAppIsEnded() throws {
            try withDeadlyChip { connection in
                let end = try run(Self.products.appending(path: Self.example), [], reader: connection, host: "none")
                #expect(end.reason == .uncaughtSignal && end.status == SIGABRT)
                #expect(!end.errors.contains(Self.notice))
            }
        }

        @Test func nfctoolIsFoundInPathAndByItsVariable() throws {
            try withCopy { program, _ in
                try withDeadlyChip { connection in
                    expectSurvival(try run(program, [], reader: connection, path: "/bin:\(Self.products.path)"))
                    expectSurvival(try run(program, [], reader: connection, host: Program.path))
                }
            }
        }

        @Test(arguments: ["exit 64", "printf nonsense >&0", "exec /bin/sleep 60"])
        func anOldNfctoolIsPassedOverForOneOfThisVersion(_ script: String) throws {
            try withCopy { program, folder in
                try putScript(script, in: folder)
                try withDeadlyChip { connection in
                    expectSurvival(try run(program, [], reader: connection, path: Self.products.path))
                }
            }
        }

        @Test func withoutNfctoolLibnfcRunsInTheAppWhichSaysSoOnce() throws {
            let chip = try VirtualReader(tags: [VirtualTagKind.demonstration()])
            defer { chip.stop() }
            try withCopy { program, folder in
                let alone = try run(program, reader: chip.connection)
                #expect(alone.status == 0 && alone.output.hasPrefix("Message of 41 bytes"), "\(alone.errors)")
                #expect(alone.errors.split(separator: "\n").count { $0.contains(Self.notice) } == 1, "\(alone.errors)")
                try putScript("exit 64", in: folder)
                let stale = try run(program, reader: chip.connection)
                #expect(stale.status == 0)
                #expect(stale.errors.contains("Not usable: \(folder.path)/nfctool."), "\(stale.errors)")
                let told = try run(program, reader: chip.connection, host: "none")
                #expect(told.status == 0 && told.errors == "", "\(told.errors)")
            }
        }

        @Test func whatLibnfcPrintsIsForTheProgramToChoose() throws {
            let chip = try VirtualReader(tags: [VirtualTagKind.demonstration()])
            defer { chip.stop() }
            let program = Self.products.appending(path: Self.example)
            let inside = try run(program, reader: chip.connection, host: "none", logLevel: "3")
            #expect(inside.status == 0 && inside.errors.contains("debug\tlibnfc"), "\(inside.errors)")
            // The reader's process has a separate environment.
            let outside = try run(program, reader: chip.connection, logLevel: "3")
            #expect(outside.status == 0 && outside.errors == "", "\(outside.errors)")
        }
    }
}
