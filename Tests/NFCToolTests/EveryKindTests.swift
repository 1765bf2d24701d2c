// Every kind of virtual tag through the life of a tag, at a real reader's pace

import Chance
import Foundation
import Testing
import VirtualPN532

extension BuiltBinaryRadio {
    /// One table with a row for each kind of tag, a column for each command, and exit codes as values.
    @Suite struct EveryKindTests {
        /// The columns, in the order in which one tag goes through them.
        private static let commands = [
            ("write", "write --yes --text hello"), ("read", "read"), ("info", "info"), ("dump", "dump d.json"),
            ("erase", "erase"), ("restore", "restore d.json"), ("protect", "protect --yes --password-file p"),
            ("unprotect", "unprotect --yes --password-file p"), ("lock", "lock --yes"),
        ]

        /// 64 usage error, 65 bad input, 77 not allowed, 78 not possible with this kind of tag.
        private static let expected = """
            kind                write  read  info  dump  erase  restore  protect  unprotect  lock
            ntag213             0      0     0     0     0      0        0        0          0
            ntag215             0      0     0     0     0      0        0        0          0
            ntag216             0      0     0     0     0      0        0        0          0
            ultralight          0      0     0     0     0      0        78       78         0
            ultralight-ev1      0      0     0     0     0      0        0        0          0
            ultralight-ev1-128  0      0     0     0     0      0        0        0          0
            type4               0      0     0     0     0      0        78       78         77
            type4-v3            0      0     0     0     0      0        78       78         77
            ntag215-read-only   77     0     0     0     77     0        0        0          0
            ntag215-protected   77     0     0     0     77     0        77       77         77
            type4-read-only     77     0     0     0     77     0        78       78         0
            ntag203             0      0     0     0     0      0        78       78         0
            ultralight-c        0      0     0     0     0      0        0        0          0
            ntag-i2c-1k         0      0     0     0     0      0        78       78         0
            ntag-i2c-2k         0      0     0     0     0      0        78       78         0
            type4b              0      0     0     0     0      0        78       78         77
            felica-lite-s       0      0     0     0     0      0        78       78         0
            felica-lite-s-ndef  0      0     0     0     0      0        78       78         0
            type3               0      0     0     0     0      0        78       78         0
            topaz96             0      0     0     0     0      0        78       78         0
            topaz512            0      0     0     0     0      0        78       78         0
            topaz96-blank       0      0     0     0     0      0        78       78         0
            topaz512-blank      0      0     0     0     0      0        78       78         0
            classic1k           0      0     0     0     0      0        78       78         0
            classic4k           0      0     0     0     0      0        78       78         0
            classic1k-ndef      0      0     0     0     0      0        78       78         0
            classic4k-ndef      0      0     0     0     0      0        78       78         0
            desfire             0      0     0     0     0      0        78       78         0
            ntag424             0      0     0     0     0      0        78       78         77
            felica-standard     0      0     0     0     0      0        78       78         0
            application-card    78     0     0     78    78     65       78       78         78
            application-card-b  78     0     0     78    78     65       78       78         78
            passport            78     0     0     78    78     65       78       78         78
            mifare-plus         78     0     0     78    78     65       78       78         78
            ntag210micro        0      0     0     0     0      0        78       78         0
            st25tn01k           0      0     0     0     0      0        78       78         0
            mifare-mini         0      0     0     0     0      0        78       78         0
            classic2k           0      0     0     0     0      0        78       78         0
            mifare-plus-sl1     0      0     0     0     0      0        78       78         0
            ultralight-aes      0      0     0     0     0      0        0        0          0
            ntag223-dna         0      0     0     0     0      0        78       78         77
            ntag224-dna         0      0     0     0     0      0        78       78         77

            """

        @Test(arguments: Campaign.isLong ? ["none", "real"] : ["real"])
        func everyCommandEndsTheSameOnEveryKindAtEveryLatency(latency: String) async throws {
            let table = try await Self.table(latency: latency)
            print("latency=\(latency)\n\(table)")
            #expect(table == Self.expected)
        }

        private static func table(latency: String) async throws -> String {
            // Copies of a MIFARE Classic behave like the original in all of these commands.
            let kinds = VirtualTagKind.allCases.filter { !$0.rawValue.contains("magic") }
            var rows = [String](repeating: "", count: kinds.count)
            try await withThrowingTaskGroup(of: (Int, String).self) { group in
                var waiting = kinds.enumerated().makeIterator()
                func startNext() {
                    guard let (index, kind) = waiting.next() else { return }
                    group.addTask { (index, try await row(kind, latency: latency)) }
                }
                for _ in 0..<3 { startNext() }
                while let (index, row) = try await group.next() {
                    rows[index] = row
                    startNext()
                }
            }
            let title = columns("kind", commands.map(\.0))
            return ([title] + rows).joined(separator: "\n") + "\n"
        }

        /// Returns the exit code of each command for one tag of the kind in a simulator.
        private static func row(_ kind: VirtualTagKind, latency: String) async throws -> String {
            try await Tool.withFolder { folder in
                let commands = commands.map { "nfctool \($0.1) --timeout 5s >> log 2>&1; echo $?" }
                let line = """
                    nfctool simulate --tag '\(kind.rawValue)?latency=\(latency)' --symlink reader > simulator & trap "kill $!" EXIT
                    until [ -s simulator ]; do sleep 0.02; done; export NFCTOOL_READER=pn532_uart:$PWD/reader
                    echo 11223344 > p; [[ \(kind.rawValue) != ultralight-[ca]* ]] || echo 00112233445566778899AABBCCDDEEFF > p
                    \(commands.joined(separator: "\n"))
                    """
                let outcome = try await Tool.shell(line, in: folder)
                let codes = outcome.output.split(separator: "\n").map(String.init)
                let log = (try? String(contentsOfFile: folder + "/log", encoding: .utf8)) ?? ""
                #expect(!codes.contains("74") && codes.count == commands.count, "\(kind): \(log)\(outcome.errors)")
                return columns(kind.rawValue, codes)
            }
        }

        private static func columns(_ name: String, _ values: [String]) -> String {
            let cells = zip(commands, values).map { command, value in
                value.padding(toLength: command.0.count + 2, withPad: " ", startingAt: 0)
            }
            let row = name.padding(toLength: 20, withPad: " ", startingAt: 0) + cells.joined()
            return String(row.reversed().drop { $0 == " " }.reversed())
        }
    }
}
