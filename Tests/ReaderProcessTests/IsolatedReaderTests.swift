// A reader in a separate process: normal operation, and failures of that process

import Foundation
import Glibc
import ReaderInterface
import Testing
import VirtualPN532

@testable import ReaderProcess

extension ReaderProcesses {
    @Suite(.serialized) struct IsolatedReaderTests {
        private func withReader<Value>(
            _ tags: [any VirtualTag], faults: Faults = Faults(), _ work: (VirtualReader, IsolatedReader) throws -> Value
        ) throws -> Value {
            let chip = try VirtualReader(tags: tags, faults: faults)
            defer { chip.stop() }
            let reader = try IsolatedReader(Program.nfctool)
            try reader.open(chip.connection)
            defer { reader.close() }
            return try work(chip, reader)
        }

        private func shell(_ line: String) -> ReaderProgram {
            ReaderProgram(path: "/bin/bash", arguments: ["-c", line])
        }

        @Test func aTagIsFoundReadAndPoweredUp() throws {
            let tag = VirtualTagKind.ntag215.make()
            try withReader([tag]) { _, reader in
                let target = try #require(try reader.poll(for: Technology.allCases).first)
                #expect(target.identifier == tag.identifier)
                var channel = try reader.connect(to: target)
                // NXP NTAG213/215/216: the capability container, and GET_VERSION.
                #expect(try channel.transceive([0x30, 0x03], framing: .handled).prefix(4) == [0xE1, 0x10, 0x3E, 0x00])
                #expect(try channel.transceive([0x60], framing: .raw).count == 8)
                #expect(try channel.exchangeFrame([0x30, 0xFF], timeout: .milliseconds(500)) == .nibble(0x00))
                #expect(throws: ReaderError.noAnswer) { try channel.transceive([0x30, 0x00], framing: .handled) }
                try channel.reselect()
                #expect(try reader.presence(of: channel) == .continuous)
                channel = try reader.powerUp(target)
                #expect(try channel.transceive([0x30, 0x00], framing: .handled).count == 16)
            }
        }

        @Test func aChannelIsDeadWithTheNextConnection() throws {
            try withReader([VirtualTagKind.ntag213.make(), VirtualTagKind.ntag215.make()]) { _, reader in
                let targets = try reader.poll(for: [.nfcA])
                let first = try reader.connect(to: targets[0])
                _ = try reader.connect(to: targets[1])
                #expect(throws: ReaderError.tagLost) { try first.transceive([0x30, 0x00], framing: .handled) }
                #expect(try reader.presence(of: first) == .absent)
            }
        }

        @Test func theSameCallsCostTheSameExchanges() throws {
            try withReader([VirtualTagKind.ntag213.make()]) { chip, reader in
                let target = try #require(try reader.poll(for: [.nfcA]).first)
                let channel = try reader.connect(to: target)
                chip.resetStatistics()
                for _ in 0..<10 { _ = try channel.transceive([0x30, 0x00], framing: .handled) }
                #expect(chip.statistics.exchanges == 10)
            }
        }

        @Test func anErrorArrivesAsItIs() throws {
            let reader = try IsolatedReader(Program.nfctool)
            #expect(throws: ReaderError.noReader(connection: "pn532_uart:/dev/nothing")) {
                try reader.open("pn532_uart:/dev/nothing")
            }
        }

        @Test func aReaderThatIsClosedIsFreeForTheNext() throws {
            let chip = try VirtualReader(tags: [VirtualTagKind.ntag213.make()])
            defer { chip.stop() }
            for _ in 0..<10 {
                let reader = try IsolatedReader(Program.nfctool)
                try reader.open(chip.connection)
                #expect(try reader.poll(for: [.nfcA]).count == 1)
                reader.close()
                #expect(throws: ReaderError.self) { try reader.poll(for: [.nfcA]) }
            }
        }

        @Test func abortEndsWhatIsUnderWay() throws {
            // A chip that acknowledges and never answers holds libnfc until its time-out.
            var faults = Faults()
            faults.hang = 1
            try withReader([VirtualTagKind.ntag213.make()], faults: faults) { _, reader in
                let channel = try reader.connect(to: try #require(try reader.poll(for: [.nfcA]).first))
                Thread.detachNewThread {
                    usleep(20_000)
                    reader.abort()
                }
                #expect(throws: ReaderError.aborted) {
                    try channel.transceive([0x30, 0x00], framing: .handled, timeout: .seconds(30))
                }
            }
        }

        @Test func aProcessThatDiesIsAReaderThatFailed() throws {
            let reader = try IsolatedReader(shell("kill -ABRT $$"))
            let failure = ReaderError.readerFailed(
                operation: "opening", reason: "libnfc crashed on what it sent", code: EPIPE)
            #expect(throws: failure) { try reader.open("x") }
            // The error is permanent: a dead reader never looks like an empty field.
            #expect(throws: failure) { try reader.poll(for: [.nfcA]) }
        }

        @Test func aProcessThatTalksNonsenseIsEnded() throws {
            let reader = try IsolatedReader(shell("printf nonsense >&0; sleep 60"))
            #expect(
                throws: ReaderError.readerFailed(
                    operation: "opening", reason: "its process sent an invalid reply", code: EPROTO)
            ) {
                try reader.open("x")
            }
        }

        @Test func aProcessThatIsStuckIsEndedWhenItsTimeIsOver() throws {
            let reader = try IsolatedReader(shell("sleep 60"))
            #expect(
                throws: ReaderError.readerFailed(
                    operation: "opening", reason: "it did not answer in time", code: ETIMEDOUT)
            ) {
                try reader.open("x")
            }
        }

        @Test func aProcessThatDoesNotHearAnAbortIsEnded() throws {
            let reader = try IsolatedReader(shell("sleep 60"))
            reader.abort()
            #expect(throws: ReaderError.aborted) { try reader.open("x") }
        }

        @Test func aProgramOfTheSameVersionOpensReaders() throws {
            let chip = try VirtualReader(tags: [VirtualTagKind.ntag213.make()])
            defer { chip.stop() }
            let reader = try IsolatedReader(Program.nfctool, ifVersion: ReaderProtocol.version)
            try reader.open(chip.connection)
            #expect(try reader.poll(for: [.nfcA]).count == 1)
            reader.close()
        }

        @Test func aProgramOfAnotherVersionIsNotUsed() {
            #expect(
                throws: ReaderError.readerFailed(
                    operation: "starting", reason: "its program has another version", code: EPROTO)
            ) {
                try IsolatedReader(Program.nfctool, ifVersion: "0.0.1/1/list,open")
            }
        }

        @Test(arguments: ["exit 64", "echo usage; exit 64", "printf nonsense >&0; sleep 60", "cat <&0"])
        func aProgramThatIsNoNfctoolIsNotUsed(_ line: String) {
            #expect(throws: ReaderError.self) { try IsolatedReader(shell(line), ifVersion: ReaderProtocol.version) }
        }

        @Test func aProgramThatIsNotThereIsAReaderThatFailed() {
            #expect {
                try IsolatedReader(ReaderProgram(path: "/nothing", arguments: []))
            } throws: { error in
                "\(error)".contains("its program /nothing does not run")
            }
        }

        @Test func neitherProcessesNorDescriptorsAreLeftBehind() throws {
            let chip = try VirtualReader(tags: [VirtualTagKind.ntag213.make()])
            defer { chip.stop() }
            func descriptors() throws -> Int {
                try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            }
            var processes: [pid_t] = []
            func round() throws {
                let reader = try IsolatedReader(Program.nfctool)
                try reader.open(chip.connection)
                processes.append(reader.process.identifier)
                reader.close()
            }
            try round()
            let before = try descriptors()
            for _ in 0..<20 { try round() }
            // The last reader may still be closing its descriptors.
            for _ in 0..<200 where try descriptors() > before { usleep(10_000) }
            // Dispatch opens one descriptor for a timer, and readers of earlier tests close theirs. A leak would add
            // 20.
            let after = try descriptors()
            #expect(after < before + 20)
            // The last of the processes may be about to end.
            for _ in 0..<200 where processes.contains(where: { kill($0, 0) == 0 }) { usleep(10_000) }
            #expect(processes.count == 21)
            #expect(!processes.contains { kill($0, 0) == 0 })
        }
    }
}
