// Tests of target mode with libnfc's and nfcpy's own programs

import Foundation
import Testing

@testable import VirtualPN532

extension StockProgramTests {
    /// A program that runs until its end is waited for, or 30 seconds.
    final class Program {
        private let process = Process()
        private let output = Pipe()

        init(_ words: [String], environment: [String: String] = [:]) throws {
            process.executableURL = URL(fileURLWithPath: "/usr/bin/timeout")
            process.arguments = ["30"] + words
            process.environment = ProcessInfo.processInfo.environment.merging(environment) { $1 }
            process.standardOutput = output
            process.standardError = output
            try process.run()
        }

        /// libnfc's card, a Type 4 Tag, on this reader.
        convenience init(forumTag4On reader: VirtualReader, logLevel: Int = 0, files: String...) throws {
            try self.init(
                ["nfc-emulate-forum-tag4"] + files,
                environment: ["LIBNFC_DEVICE": reader.connection, "LIBNFC_LOG_LEVEL": "\(logLevel)"])
        }

        /// What it printed.
        func end() -> String {
            let data = output.fileHandleForReading.readDataToEndOfFile()
            process.waitUntilExit()
            return String(decoding: data, as: UTF8.self)
        }
    }

    /// The message that libnfc 1.8.0's `nfc-emulate-forum-tag4` has built in: a smart poster.
    static let posterMessage = octets(
        """
        D1 02 1C 53 70 91 01 09 54 02 65 6E 4C 69 62 6E 66 63 51 01 0B 55 03 6C 69 62 6E 66 63 2E 6F 72 67
        """)

    @Test func aPhoneReadsLibnfcsCard() throws {
        let (air, card) = try Antenna.pair()
        let reader = try VirtualReader(antenna: card)
        let program = try Program(forumTag4On: reader, logLevel: 3)
        let phone = VirtualPhone(antenna: air)
        let found = try phone.activate()
        #expect(hex(found.sensRes) == "04 00")
        #expect(hex(found.nfcID1) == "08 00 B0 0B")
        #expect(found.selRes == 0x20)
        print(hex(found.ats))
        #expect(try phone.readNDEF() == Self.posterMessage)
        phone.leave()
        print(program.end())
    }
}
