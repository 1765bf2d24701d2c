// An app's own vicinity tag with the async forms answers code that calls the handler forms

import CoreNFC
import Testing

@testable import SwiftSixClients

@Suite struct VicinityMockTests {
    /// A command with a handler, with the expected arguments of the tag's async form and the result for the handler.
    struct Form: CustomTestStringConvertible, Sendable {
        let command: String
        let answer: String
        let call: @Sendable (any NFCISO15693Tag, Events<String>) -> Void

        init(
            _ command: String, _ answer: String = "",
            call: @escaping @Sendable (any NFCISO15693Tag, Events<String>) -> Void
        ) {
            (self.command, self.answer, self.call) = (command, answer, call)
        }

        var testDescription: String { command }
    }

    static let flags: NFCISO15693RequestFlag = [.highDataRate, .address]
    static let range = NSRange(location: 1, length: 2)
    static let block = Data([7])

    static let forms: [Form] = [
        Form("stayQuiet") { tag, events in tag.stayQuiet { events.record("", $0) } },
        Form("readSingleBlock 34 4", "4 bytes") { tag, events in
            tag.readSingleBlock(requestFlags: flags, blockNumber: 4) { events.record($0, $1) }
        },
        Form("writeSingleBlock 34 4 1") { tag, events in
            tag.writeSingleBlock(requestFlags: flags, blockNumber: 4, dataBlock: block) { events.record("", $0) }
        },
        Form("lockBlock 34 4") { tag, events in
            tag.lockBlock(requestFlags: flags, blockNumber: 4) { events.record("", $0) }
        },
        Form("readMultipleBlocks 34 2", "2 blocks") { tag, events in
            tag.readMultipleBlocks(requestFlags: flags, blockRange: range) { events.record($0, $1) }
        },
        Form("writeMultipleBlocks 34 2 1") { tag, events in
            tag.writeMultipleBlocks(requestFlags: flags, blockRange: range, dataBlocks: [block]) {
                events.record("", $0)
            }
        },
        Form("select 34") { tag, events in tag.select(requestFlags: flags) { events.record("", $0) } },
        Form("resetToReady 34") { tag, events in tag.resetToReady(requestFlags: flags) { events.record("", $0) } },
        Form("writeAFI 34 7") { tag, events in tag.writeAFI(requestFlags: flags, afi: 7) { events.record("", $0) } },
        Form("lockAFI 34") { tag, events in tag.lockAFI(requestFlags: flags) { events.record("", $0) } },
        Form("writeDSFID 34 7") { tag, events in
            tag.writeDSFID(requestFlags: flags, dsfid: 7) { events.record("", $0) }
        },
        Form("lockDSFID 34") { tag, events in tag.lockDSFID(requestFlags: flags) { events.record("", $0) } },
        Form("getMultipleBlockSecurityStatus 34 2", "2 states") { tag, events in
            tag.getMultipleBlockSecurityStatus(requestFlags: flags, blockRange: range) { status, error in
                events.record(status.isEmpty ? "" : "\(status.count) states", error)
            }
        },
        Form("customCommand 34 160 1", "4 bytes") { tag, events in
            tag.customCommand(requestFlags: flags, customCommandCode: 0xA0, customRequestParameters: block) {
                events.record($0, $1)
            }
        },
        Form("extendedReadSingleBlock 34 300", "4 bytes") { tag, events in
            tag.extendedReadSingleBlock(requestFlags: flags, blockNumber: 300) { events.record($0, $1) }
        },
        Form("extendedWriteSingleBlock 34 300 1") { tag, events in
            tag.extendedWriteSingleBlock(requestFlags: flags, blockNumber: 300, dataBlock: block) {
                events.record("", $0)
            }
        },
        Form("extendedLockBlock 34 300") { tag, events in
            tag.extendedLockBlock(requestFlags: flags, blockNumber: 300) { events.record("", $0) }
        },
        Form("extendedReadMultipleBlocks 34 2", "2 blocks") { tag, events in
            tag.extendedReadMultipleBlocks(requestFlags: flags, blockRange: range) { events.record($0, $1) }
        },
    ]

    @Test(arguments: forms) func aHandlerGetsWhatTheAsyncFormReturns(_ form: Form) async throws {
        let (tag, events) = (ModernVicinityTag(), Events<String>())
        form.call(tag, events)
        #expect(try await events.next() == form.answer)
        #expect(tag.commands == [form.command])
    }

    @Test(arguments: forms) func aHandlerGetsWhatTheAsyncFormThrows(_ form: Form) async throws {
        let tag = ModernVicinityTag(error: NFCReaderError(.readerTransceiveErrorTagResponseError))
        let events = Events<String>()
        form.call(tag, events)
        #expect(try await events.next() == "102")
        #expect(tag.commands == [form.command])
    }
}

extension Events where Event == String {
    fileprivate func record(_ answer: String, _ error: (any Error)?) {
        record(answer + ((error as? NFCReaderError).map { "\($0.errorCode)" } ?? ""))
    }

    fileprivate func record(_ data: Data, _ error: (any Error)?) {
        record(data.isEmpty ? "" : "\(data.count) bytes", error)
    }

    fileprivate func record(_ blocks: [Data], _ error: (any Error)?) {
        record(blocks.isEmpty ? "" : "\(blocks.count) blocks", error)
    }
}
