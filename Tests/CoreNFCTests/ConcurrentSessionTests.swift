// Sessions on separate readers do not affect each other. Scripts/check runs this under ThreadSanitizer

import CoreNFC
import Foundation
import Testing
import VirtualPN532

@Suite(.timeLimit(.minutes(5))) struct ConcurrentSessionTests {
    @Test func eightSessionsOnEightReadersReadAndWriteAtOnce() async throws {
        try await withThrowingTaskGroup(of: Int.self) { group in
            for number in 0..<8 { group.addTask { try await number.isMultiple(of: 2) ? ndef(number) : native(number) } }
            var count = 0
            for try await done in group { count += done }
            #expect(count == 8 * rounds)
        }
    }

    private let rounds = 5

    /// Writes and reads messages, and reads the session's properties at the same time.
    private func ndef(_ number: Int) async throws -> Int {
        let bench = try Bench([VirtualTagKind.ntag213.make(serial: number)])
        let tag = try await bench.connectedTag()
        var count = 0
        for round in 1...rounds {
            async let written: Void = tag.writeNDEF(message("\(number) \(round)"))
            bench.session.alertMessage = "round \(round)"
            #expect(bench.session.isReady && tag.isAvailable)
            try await written
            if try await tag.readNDEF().text == "\(number) \(round)" { count += 1 }
        }
        try await bench.end()
        return count
    }

    /// Sends native commands of the tag, and checks its presence again.
    private func native(_ number: Int) async throws -> Int {
        let bench = try TagSessionBench([VirtualTagKind.ntag213.make(serial: number)])
        var tag = try await bench.miFare()
        var count = 0
        for round in 1...rounds {
            let block = Data([UInt8(number), UInt8(round), 0, 0])
            #expect(try await tag.sendMiFareCommand(commandPacket: data("A2 10") + block).hex == "0A")
            bench.session.restartPolling()
            tag = try #require(try await bench.detected().first?.asMiFare)
            try await bench.session.connect(to: .miFare(tag))
            if try await tag.sendMiFareCommand(commandPacket: data("30 10")).prefix(4) == block { count += 1 }
        }
        try await bench.end()
        return count
    }
}
