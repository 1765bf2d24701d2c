// nfctool and the process that holds its reader: when one of them ends, so does the other

import Foundation
import Glibc
import ReaderInterface
import Testing
import VirtualPN532

@testable import ReaderProcess

extension ReaderProcesses.IsolatedReaderTests {
    @Suite struct HeldReaderTests {
        /// A program that runs in parallel with the test.
        private struct Running {
            let process = Process()
            private let output = Pipe()
            private let errors = Pipe()

            init(_ path: String, _ arguments: [String]) throws {
                process.executableURL = URL(filePath: path)
                process.arguments = arguments
                process.standardOutput = output
                process.standardError = errors
                process.standardInput = FileHandle.nullDevice
                try process.run()
            }

            /// Returns its output when there is at least one line.
            func begun() -> String { String(decoding: output.fileHandleForReading.availableData, as: UTF8.self) }

            /// Returns its exit code and the rest of its output.
            func ended() -> (status: Int32, output: String, errors: String) {
                let output = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                let errors = String(decoding: errors.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
                process.waitUntilExit()
                return (process.terminationStatus, output, errors)
            }
        }

        /// Returns the processes that have a file open, except this one.
        private func holders(of path: String) throws -> [Int32] {
            try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap { Int32($0) }.filter { process in
                guard process != getpid() else { return false }
                let folder = "/proc/\(process)/fd"
                let files = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
                return files.contains {
                    (try? FileManager.default.destinationOfSymbolicLink(atPath: "\(folder)/\($0)")) == path
                }
            }
        }

        /// The reader is slow, and does not answer at this moment.
        @Test(arguments: [SIGINT, SIGTERM]) func aScanThatIsEndedHasGivenItsReaderBack(signal: Int32) throws {
            let chip = try VirtualReader(tags: [VirtualTagKind.ntag213.make()])
            defer { chip.stop() }
            let scan = try Running(Program.path, ["scan", "--json", "--reader", chip.connection])
            #expect(scan.begun().contains(#""event":"tag""#))
            #expect(try !holders(of: chip.path).isEmpty)
            chip.faults.mute = 0
            kill(scan.process.processIdentifier, signal)
            let end = scan.ended()
            #expect(try holders(of: chip.path).isEmpty)
            #expect(end.status == 130, "\(end.errors)")
        }

        /// `killall`, and a service manager that stops a service, signal both processes.
        @Test func aSignalToBothProcessesEndsInGoodOrder() throws {
            let chip = try VirtualReader(tags: [VirtualTagKind.ntag213.make()])
            defer { chip.stop() }
            let scan = try Running(Program.path, ["scan", "--json", "--reader", chip.connection])
            #expect(scan.begun().contains(#""event":"tag""#))
            for process in try holders(of: chip.path) + [scan.process.processIdentifier] { kill(process, SIGTERM) }
            let end = scan.ended()
            #expect(!end.output.contains("readerLost"))
            #expect(end.status == 130, "\(end.errors)")
        }

        @Test func aSignalDoesNotEndTheProcessThatHoldsTheReader() throws {
            let chip = try VirtualReader(tags: [VirtualTagKind.ntag213.make()])
            defer { chip.stop() }
            let reader = try IsolatedReader(Program.nfctool)
            try reader.open(chip.connection)
            for signal in [SIGHUP, SIGINT, SIGTERM] { kill(reader.process.identifier, signal) }
            #expect(try reader.poll(for: [.nfcA]).count == 1)
            reader.close()
        }

        /// A descriptor that is missing is not mistaken for another one.
        @Test func whatIsPrintedToAClosedDescriptorGoesNowhere() throws {
            let line = "exec '\(Program.path)' read --reader virtual:ntag213"
            let output = try Running("/bin/bash", ["-c", "\(line) >&-"]).ended()
            #expect(output.status == 65)
            #expect(output.errors.contains("Bad file descriptor"))
            let all = try Running("/bin/bash", ["-c", "\(line) <&- 2>&-"]).ended()
            #expect(all.status == 0)
            #expect(all.output.contains("NTAG213"))
        }

        @Test func aReaderThatDoesNotOpenIsNotOneWithoutTags() throws {
            let scan = try Running(
                Program.path, ["scan", "--json", "--reader", "virtual:ntag213?mute=0", "--timeout", "200ms"])
            let end = scan.ended()
            #expect(end.status == 74)
            #expect(end.errors.contains("readerIO"))
        }

        /// Each program first checks whether the reader is free.
        ///
        /// The other program does not mistake this check for a use.
        @Test func ofTwoThatBeginAtTheSameTimeOneHasTheReader() throws {
            let chip = try VirtualReader(tags: [VirtualTagKind.ntag213.make()])
            defer { chip.stop() }
            for _ in 0..<10 {
                let both = try (0..<2).map { _ in
                    try Running(Program.path, ["read", "--json", "--reader", chip.connection])
                }
                let ends = both.map { $0.ended() }
                #expect(ends.contains { $0.status == 0 }, "\(ends.map(\.errors))")
                #expect(ends.allSatisfy { [0, 69].contains($0.status) }, "\(ends.map(\.errors))")
            }
        }
    }
}
