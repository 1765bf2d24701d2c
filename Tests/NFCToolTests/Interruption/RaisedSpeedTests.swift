// A PN532 whose serial line is faster while nfctool uses it, and the speed afterwards

import Foundation
import Testing
import VirtualPN532

extension BuiltBinaryKills {
    @Suite struct RaisedSpeedTests {
        private static let uid = "0410571F000180"

        /// The number of times that the chip was asked to change its speed.
        private static func changes(_ reader: VirtualReader) -> Int { reader.statistics.commands[0x10, default: 0] }

        /// Starts a scan at a raised speed, ends it, and returns the reader that it used.
        private static func scan(endedBy end: (TerminalRun) async throws -> Void) async throws -> VirtualReader {
            let reader = try VirtualReader(tags: [VirtualTagKind.ntag213.make()])
            try await Tool.withFolder { folder in
                let name = reader.connection + "?speed=921600"
                let run = try TerminalRun(["scan", "--json", "--reader", name], in: folder)
                try await run.wait(for: uid)
                #expect(changes(reader) >= 1)
                try await end(run)
                #expect(try await run.ended() != nil)
            }
            return reader
        }

        @Test(arguments: [SIGINT, SIGTERM])
        func anInterruptedCommandRestoresTheSpeed(signal: Int32) async throws {
            let reader = try await Self.scan { $0.send(signal) }
            defer { reader.stop() }
            let changes = Self.changes(reader)
            #expect(changes >= 2)
            let outcome = try await Tool.run("info", "--reader", reader.connection)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(Self.changes(reader) == changes)
        }

        /// The process that holds the reader is killed too, although it would restore the speed.
        @Test func aReaderOfAKilledCommandIsBroughtBackByTheNextOne() async throws {
            let reader = try await Self.scan { run in
                run.send(SIGSTOP)
                for process in run.survivors().compactMap({ pid_t($0) }) where process != run.process {
                    kill(process, SIGKILL)
                }
                run.send(SIGKILL)
            }
            defer { reader.stop() }
            let changes = Self.changes(reader)
            let outcome = try await Tool.run("info", "--reader", reader.connection)
            #expect(outcome.status == 0, "\(outcome.errors)")
            #expect(outcome.output.contains("NTAG213"))
            #expect(Self.changes(reader) > changes)
        }

        @Test(arguments: [
            ("?speed=57600", "\"57600\" is not a value for speed. Use 230400, 460800 or 921600."),
            ("?baud=921600", "Unknown option \"baud\" for a PN532 on a serial port. Known option: speed."),
        ])
        func anotherSpeedIsRefusedInWords(option: String, message: String) async throws {
            let outcome = try await Tool.run("read", "--reader", "pn532_uart:/dev/ttyUSB0" + option)
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains(message), "\(outcome.errors)")
        }
    }
}
