// Every command of ISO 15693 in every form: labels, types, the request to the tag and the result — CoreNFC
// NFCISO15693Tag

import CoreNFC
import Testing

/// One form of one command, with the expected request to the tag and the tag's answer as text.
private struct Form: CustomTestStringConvertible, Sendable {
    let request: String
    let answer: String
    let call: @Sendable (MockISO15693Tag) async throws -> String

    init(
        _ request: String, _ answer: String, call: @escaping @Sendable (MockISO15693Tag) async throws -> String
    ) {
        self.request = request
        self.answer = answer
        self.call = call
    }

    /// Creates a form of a command whose answer contains no data.
    init(_ request: String, call: @escaping @Sendable (MockISO15693Tag) async throws -> Void) {
        self.init(request, "") { tag in
            try await call(tag)
            return ""
        }
    }

    var testDescription: String { request }

    static let flags: NFCISO15693RequestFlag = [.highDataRate, .address]
    static let range = NSRange(location: 1, length: 2)
    static let blocks = [Data([7]), Data([8])]

    // The types that follow `as`, or that `answer` receives, are checked in addition to the labels.

    static let async: [Form] = [
        Form("02") { tag in try await tag.stayQuiet() },
        Form("20 34 4", "01020304") { tag in
            text(try await tag.readSingleBlock(requestFlags: flags, blockNumber: 4) as Data)
        },
        Form("21 34 4 09") { tag in
            try await tag.writeSingleBlock(requestFlags: flags, blockNumber: 4, dataBlock: Data([9]))
        },
        Form("22 34 4") { tag in try await tag.lockBlock(requestFlags: flags, blockNumber: 4) },
        Form("23 34 1+2", "0102,0304") { tag in
            text(try await tag.readMultipleBlocks(requestFlags: flags, blockRange: range) as [Data])
        },
        Form("24 34 1+2 07,08") { tag in
            try await tag.writeMultipleBlocks(requestFlags: flags, blockRange: range, dataBlocks: blocks)
        },
        Form("25 34") { tag in try await tag.select(requestFlags: flags) },
        Form("26 34") { tag in try await tag.resetToReady(requestFlags: flags) },
        Form("27 34 7") { tag in try await tag.writeAFI(requestFlags: flags, afi: 7) },
        Form("28 34") { tag in try await tag.lockAFI(requestFlags: flags) },
        Form("29 34 7") { tag in try await tag.writeDSFID(requestFlags: flags, dsfid: 7) },
        Form("2A 34") { tag in try await tag.lockDSFID(requestFlags: flags) },
        Form("2C 34 1+2", "[0, 1]") { tag in
            text(try await tag.getMultipleBlockSecurityStatus(requestFlags: flags, blockRange: range) as [NSNumber])
        },
        Form("custom 34 160 09", "01020304") { tag in
            text(
                try await tag.customCommand(
                    requestFlags: flags, customCommandCode: 0xA0, customRequestParameters: Data([9])) as Data)
        },
        Form("30 34 300", "01020304") { tag in
            text(try await tag.extendedReadSingleBlock(requestFlags: flags, blockNumber: 300) as Data)
        },
        Form("31 34 300 09") { tag in
            try await tag.extendedWriteSingleBlock(requestFlags: flags, blockNumber: 300, dataBlock: Data([9]))
        },
        Form("32 34 300") { tag in try await tag.extendedLockBlock(requestFlags: flags, blockNumber: 300) },
        Form("33 34 1+2", "0102,0304") { tag in
            text(try await tag.extendedReadMultipleBlocks(requestFlags: flags, blockRange: range) as [Data])
        },
        Form("2B 34", "e004010203040506 1 2 4 28 -1") { tag in
            text(try await tag.systemInfo(requestFlags: flags) as NFCISO15693SystemInfo)
        },
        Form("2D 34 1+2", "0102,0304") { tag in
            text(try await tag.fastReadMultipleBlocks(requestFlags: flags, blockRange: range) as [Data])
        },
        Form("34 34 1+2 07,08") { tag in
            try await tag.extendedWriteMultipleBlocks(requestFlags: flags, blockRange: range, dataBlocks: blocks)
        },
        Form("35 34 1 09", "4 01020304") { tag in
            text(
                try await tag.authenticate(requestFlags: flags, cryptoSuiteIdentifier: 1, message: Data([9]))
                    as (NFCISO15693ResponseFlag, Data))
        },
        Form("36 34 1 09", "2 01020304") { tag in
            text(
                try await tag.keyUpdate(requestFlags: flags, keyIdentifier: 1, message: Data([9]))
                    as (NFCISO15693ResponseFlag, Data))
        },
        Form("39 34 1 09") { tag in
            try await tag.challenge(requestFlags: flags, cryptoSuiteIdentifier: 1, message: Data([9]))
        },
        Form("3A 34", "2 01020304") { tag in
            text(try await tag.readBuffer(requestFlags: flags) as (NFCISO15693ResponseFlag, Data))
        },
        Form("3C 34 1+2", "[0, 1]") { tag in
            text(
                try await tag.extendedGetMultipleBlockSecurityStatus(requestFlags: flags, blockRange: range)
                    as NFCISO15693MultipleBlockSecurityStatus)
        },
        Form("3D 34 1+2", "0102,0304") { tag in
            text(try await tag.extendedFastReadMultipleBlocks(requestFlags: flags, blockRange: range) as [Data])
        },
        Form("any 2 176 09", "0 01020304") { tag in
            text(
                try await tag.sendRequest(requestFlags: 2, commandCode: 0xB0, data: Data([9]))
                    as (NFCISO15693ResponseFlag, Data?))
        },
        Form("any 2 176 nil", "0 nil") { tag in
            text(
                try await tag.sendRequest(requestFlags: 2, commandCode: 0xB0, data: nil)
                    as (NFCISO15693ResponseFlag, Data?))
        },
    ]

    static let handlers: [Form] = [
        Form("02", "") { tag in try await handled() { tag.stayQuiet(completionHandler: $0) } },
        Form("20 34 4", "01020304") { tag in
            try await handled(Data.self) {
                tag.readSingleBlock(requestFlags: flags, blockNumber: 4, completionHandler: $0)
            }
        },
        Form("21 34 4 09", "") { tag in
            try await handled() {
                tag.writeSingleBlock(requestFlags: flags, blockNumber: 4, dataBlock: Data([9]), completionHandler: $0)
            }
        },
        Form("22 34 4", "") { tag in
            try await handled() { tag.lockBlock(requestFlags: flags, blockNumber: 4, completionHandler: $0) }
        },
        Form("23 34 1+2", "0102,0304") { tag in
            try await handled([Data].self) {
                tag.readMultipleBlocks(requestFlags: flags, blockRange: range, completionHandler: $0)
            }
        },
        Form("24 34 1+2 07,08", "") { tag in
            try await handled() {
                tag.writeMultipleBlocks(
                    requestFlags: flags, blockRange: range, dataBlocks: blocks, completionHandler: $0)
            }
        },
        Form("25 34", "") { tag in try await handled() { tag.select(requestFlags: flags, completionHandler: $0) } },
        Form("26 34", "") { tag in try await handled() { tag.resetToReady(requestFlags: flags, completionHandler: $0) }
        },
        Form("27 34 7", "") { tag in
            try await handled() { tag.writeAFI(requestFlags: flags, afi: 7, completionHandler: $0) }
        },
        Form("28 34", "") { tag in try await handled() { tag.lockAFI(requestFlags: flags, completionHandler: $0) } },
        Form("29 34 7", "") { tag in
            try await handled() { tag.writeDSFID(requestFlags: flags, dsfid: 7, completionHandler: $0) }
        },
        Form("2A 34", "") { tag in try await handled() { tag.lockDSFID(requestFlags: flags, completionHandler: $0) } },
        Form("2C 34 1+2", "[0, 1]") { tag in
            try await handled([NSNumber].self) {
                tag.getMultipleBlockSecurityStatus(requestFlags: flags, blockRange: range, completionHandler: $0)
            }
        },
        Form("custom 34 160 09", "01020304") { tag in
            try await handled(Data.self) {
                tag.customCommand(
                    requestFlags: flags, customCommandCode: 0xA0, customRequestParameters: Data([9]),
                    completionHandler: $0)
            }
        },
        Form("30 34 300", "01020304") { tag in
            try await handled(Data.self) {
                tag.extendedReadSingleBlock(requestFlags: flags, blockNumber: 300, completionHandler: $0)
            }
        },
        Form("31 34 300 09", "") { tag in
            try await handled() {
                tag.extendedWriteSingleBlock(
                    requestFlags: flags, blockNumber: 300, dataBlock: Data([9]), completionHandler: $0)
            }
        },
        Form("32 34 300", "") { tag in
            try await handled() { tag.extendedLockBlock(requestFlags: flags, blockNumber: 300, completionHandler: $0) }
        },
        Form("33 34 1+2", "0102,0304") { tag in
            try await handled([Data].self) {
                tag.extendedReadMultipleBlocks(requestFlags: flags, blockRange: range, completionHandler: $0)
            }
        },
        Form("34 34 1+2 07,08", "") { tag in
            try await handled() {
                tag.extendedWriteMultipleBlocks(
                    requestFlags: flags, blockRange: range, dataBlocks: blocks, completionHandler: $0)
            }
        },
        Form("39 34 1 09", "") { tag in
            try await handled() {
                tag.challenge(requestFlags: flags, cryptoSuiteIdentifier: 1, message: Data([9]), completionHandler: $0)
            }
        },
    ]

    static let results: [Form] = [
        Form("20 34 4", "01020304") { tag in
            try await handled(result: Data.self) {
                tag.readSingleBlock(requestFlags: flags, blockNumber: 4, resultHandler: $0)
            }
        },
        Form("23 34 1+2", "0102,0304") { tag in
            try await handled(result: [Data].self) {
                tag.readMultipleBlocks(requestFlags: flags, blockRange: range, resultHandler: $0)
            }
        },
        Form("custom 34 160 09", "01020304") { tag in
            try await handled(result: Data.self) {
                tag.customCommand(
                    requestFlags: flags, customCommandCode: 0xA0, customRequestParameters: Data([9]), resultHandler: $0)
            }
        },
        Form("30 34 300", "01020304") { tag in
            try await handled(result: Data.self) {
                tag.extendedReadSingleBlock(requestFlags: flags, blockNumber: 300, resultHandler: $0)
            }
        },
        Form("2B 34", "e004010203040506 1 2 4 28 -1") { tag in
            try await handled(result: NFCISO15693SystemInfo.self) {
                tag.getSystemInfo(requestFlags: flags, resultHandler: $0)
            }
        },
        Form("2D 34 1+2", "0102,0304") { tag in
            try await handled(result: [Data].self) {
                tag.fastReadMultipleBlocks(requestFlags: flags, blockRange: range, resultHandler: $0)
            }
        },
        Form("35 34 1 09", "4 01020304") { tag in
            try await handled(result: (NFCISO15693ResponseFlag, Data).self) {
                tag.authenticate(requestFlags: flags, cryptoSuiteIdentifier: 1, message: Data([9]), resultHandler: $0)
            }
        },
        Form("36 34 1 09", "2 01020304") { tag in
            try await handled(result: (NFCISO15693ResponseFlag, Data).self) {
                tag.keyUpdate(requestFlags: flags, keyIdentifier: 1, message: Data([9]), resultHandler: $0)
            }
        },
        Form("3A 34", "2 01020304") { tag in
            try await handled(result: (NFCISO15693ResponseFlag, Data).self) {
                tag.readBuffer(requestFlags: flags, resultHandler: $0)
            }
        },
        Form("3C 34 1+2", "[0, 1]") { tag in
            try await handled(result: NFCISO15693MultipleBlockSecurityStatus.self) {
                tag.extendedGetMultipleBlockSecurityStatus(requestFlags: flags, blockRange: range, resultHandler: $0)
            }
        },
        Form("3D 34 1+2", "0102,0304") { tag in
            try await handled(result: [Data].self) {
                tag.extendedFastReadMultipleBlocks(requestFlags: flags, blockRange: range, resultHandler: $0)
            }
        },
        Form("any 2 176 09", "0 01020304") { tag in
            try await handled(result: (NFCISO15693ResponseFlag, Data?).self) {
                tag.sendRequest(requestFlags: 2, commandCode: 0xB0, data: Data([9]), resultHandler: $0)
            }
        },
    ]
}

@Suite(.timeLimit(.minutes(5))) struct ISO15693CommandTests {
    @Test(arguments: Form.async) private func asyncForms(_ form: Form) async throws { try await check(form) }
    @Test(arguments: Form.handlers) private func handlerForms(_ form: Form) async throws { try await check(form) }
    @Test(arguments: Form.results) private func resultForms(_ form: Form) async throws { try await check(form) }

    private func check(_ form: Form) async throws {
        let tag = MockISO15693Tag()
        #expect(try await form.call(tag) == form.answer)
        #expect(tag.requests == [form.request])

        let refusing = MockISO15693Tag(
            error: NFCReaderError(
                .readerTransceiveErrorTagResponseError, userInfo: [NFCISO15693TagResponseErrorKey: 0x10]))
        do {
            _ = try await form.call(refusing)
            Issue.record("The tag's error is lost.")
        } catch {
            #expect((error as? NFCReaderError)?.userInfo["ISO15693TagResponseErrorCode"] as? Int == 0x10)
        }
    }

    @Test func eachCommandHasItsForms() {
        // 18 commands of iOS 13 and 10 of iOS 14, one of them twice. Section 5.5 of the project's reference to CoreNFC
        // counts them.
        #expect(Form.async.count == 29)
        #expect(Form.handlers.count == 20)
        #expect(Form.results.count == 12)
    }
}

// MARK: answers as text

/// Waits for a handler that receives only an error or nil.
private func handled(_ call: (@escaping @Sendable ((any Error)?) -> Void) -> Void) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
        call { continuation.resume(with: $0.map { .failure($0) } ?? .success("")) }
    }
}

/// Waits for a handler that receives a value in addition to the error.
private func handled<Value>(
    _ type: Value.Type, _ call: (@escaping @Sendable (Value, (any Error)?) -> Void) -> Void
) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
        call { value, error in continuation.resume(with: error.map { .failure($0) } ?? .success(text(value))) }
    }
}

/// Waits for a handler that receives a Result.
private func handled<Value>(
    result type: Value.Type, _ call: (@escaping @Sendable (Result<Value, any Error>) -> Void) -> Void
) async throws -> String {
    try await withCheckedThrowingContinuation { continuation in
        call { result in continuation.resume(with: result.map { text($0) }) }
    }
}
