// Apps for ISO 15693 tags work as on an iPhone: handlers, results, async

import CoreNFC
import Testing
import VicinityReaders

@testable import SwiftSixClients

/// Runs a body while the reader that clients find supports ISO 15693 and has these tags in its field.
@MainActor
private func onVicinityReader<Value>(
    _ tags: VicinityTag..., body: @MainActor (VicinityDesk) async throws -> Value
) async throws -> Value {
    let reader = try Bench.reader()
    let desk = VicinityDesk(tags)
    setenv("NFCTOOL_READER", desk.connection, 1)
    defer { setenv("NFCTOOL_READER", reader.connection, 1) }
    return try await body(desk)
}

extension ClientTests {
    @MainActor @Suite struct LabelShapeTests {
        private func finish(_ reader: LabelReader) async throws -> String {
            let events = Events<String>()
            reader.onFinish = { label, message in
                let read = label.map { "\($0.uid) \($0.blockCount)x\($0.blockSize) \($0.text) \($0.signature.count)" }
                events.record(read ?? message ?? "nothing")
            }
            reader.beginScanning()
            return try await events.next()
        }

        @Test func aLabelIsWrittenAndRead() async throws {
            try await onVicinityReader(.icodeSLIX2()) { (_: VicinityDesk) async throws in
                let writer = LabelReader()
                writer.textToWrite = "Shelf 12 C"
                #expect(try await finish(writer) == "E004010811223344 80x4 Shelf 12 C 32")
                #expect(try await finish(LabelReader()) == "E004010811223344 80x4 Shelf 12 C 32")
            }
        }

        @Test func aWrongPasswordIsNamed() async throws {
            let tag = VicinityTag.icodeSLIX2(password: [1, 2, 3, 4])
            try await onVicinityReader(tag) { (_: VicinityDesk) async throws in
                let writer = LabelReader()
                writer.textToWrite = "Shelf"
                #expect(try await finish(writer) == "Wrong password (15).")
            }
            #expect(tag.memory.allSatisfy { $0 == 0 })
        }
    }

    @MainActor @Suite struct DynamicTagShapeTests {
        private func run(_ action: DynamicTagManager.Action, on tag: VicinityTag) async throws -> String {
            let (events, manager) = (Events<String>(), DynamicTagManager())
            return try await onVicinityReader(tag) { (_: VicinityDesk) async throws in
                manager.run(action) { result in
                    switch result {
                    case .success(let text): events.record(text)
                    case .failure(let error):
                        let error = error as? NFCReaderError
                        let tagError = error?.userInfo[NFCISO15693TagResponseErrorKey] as? Int
                        events.record("\(error?.errorCode ?? 0) \(tagError ?? -1)")
                    }
                }
                return try await events.next()
            }
        }

        @Test func theConfigurationIsReadAndWritten() async throws {
            let tag = VicinityTag.st25dv04K()
            #expect(try await run(.configuration(1), on: tag) == "03")
            #expect(try await run(.configuration(99), on: tag) == "102 16")
            let wrong = Data(repeating: 1, count: 8)
            #expect(try await run(.setConfiguration(1, 0x07, password: wrong), on: tag) == "102 15")
            #expect(try await run(.setConfiguration(1, 0x07, password: Data(count: 8)), on: tag) == "configured")
            #expect(try await run(.configuration(1), on: tag) == "07")
        }

        @Test func theMailboxAnswers() async throws {
            #expect(try await run(.message(Data("ping".utf8)), on: .st25dv04K()) == "gnip")
        }

        @Test func theMemoryIsReadFast() async throws {
            let range = NSRange(location: 8, length: 16)
            #expect(try await run(.dump(range), on: .st25dv04K()) == "16 of 128 blocks")
        }

        /// The app's sessions also look for other tags.
        @Test func withoutATagNothingIsFound() async throws {
            let (events, manager) = (Events<String>(), DynamicTagManager())
            try await onVicinityReader { desk in
                manager.run(.configuration(0)) { _ in events.record("ended") }
                try await until { desk.polls > 2 }
                #expect(events.all.isEmpty)
                desk.tags = [.st25dv04K()]
                #expect(try await events.next() == "ended")
            }
        }
    }

    @MainActor @Suite struct VicinityScannerTests {
        let scanner = VicinityScanner()

        @Test func memoryIsReadAndWritten() async throws {
            try await onVicinityReader(.icodeSLIX2()) { (_: VicinityDesk) async throws in
                #expect(try await scanner.write(Data([1, 2, 3, 4]), at: 2) == [0, 0, 0])
                #expect(try await scanner.write(Data([5, 6, 7, 8]), at: 3, locking: true) == [0, 0, 0, 1])
                do {
                    _ = try await scanner.write(Data([0, 0, 0, 0]), at: 3)
                    Issue.record("A locked block was written.")
                } catch VicinityScanner.Failure.refused(let code) {
                    #expect(code == 0x12)
                }
                let memory = try await scanner.memory()
                #expect(memory.count == 320)
                #expect(memory[8..<16].elementsEqual([1, 2, 3, 4, 5, 6, 7, 8]))
            }
        }

        @Test func customCommandsOfBothMakersWork() async throws {
            try await onVicinityReader(.icodeSLIX2()) { (_: VicinityDesk) async throws in
                #expect(try await scanner.signature() == Data(repeating: 0xA5, count: 32))
            }
            try await onVicinityReader(.st25dv04K()) { (_: VicinityDesk) async throws in
                #expect(try await scanner.configuration(at: 1) == 0x03)
            }
        }

        @Test func aSelectedTagIsNumbered() async throws {
            try await onVicinityReader(.icodeSLIX2()) { (_: VicinityDesk) async throws in
                #expect(try await scanner.inventory(afi: 7, dsfid: 9) == "7 9")
            }
        }

        /// A plugin may look only for NDEF.
        @Test func aPluginGetsTheIdentifierOfAnNDEFSessionsTag() async throws {
            let events = Events<String>()
            let describer = TagDescriber { description in
                events.record("\(description?.kind ?? "none") \(description?.identifier?.hexString ?? "-")")
            }
            try await onVicinityReader(.icodeSLIX2()) { (_: VicinityDesk) async throws in
                describer.scan()
                #expect(try await events.next() == "ISO15693 e004010811223344")
            }
        }
    }
}
