// The signatures of a tag, implemented by apps' own tags — CoreNFC NFCNDEFTag, NFCNDEFStatus

import CoreNFC
import Testing

private let message = NFCNDEFMessage(
    records: [NFCNDEFPayload(format: .unknown, type: Data(), identifier: Data(), payload: Data([1]))])

@Suite struct NDEFTagSignatureTests {
    private final class HandlerTag: SignatureTag, NFCNDEFTag, @unchecked Sendable {
        func queryNDEFStatus(completionHandler: @escaping (NFCNDEFStatus, Int, (any Error)?) -> Void) {
            completionHandler(.readWrite, 46, nil)
        }

        func readNDEF(completionHandler: @escaping (NFCNDEFMessage?, (any Error)?) -> Void) {
            completionHandler(message, nil)
        }

        func writeNDEF(_ ndefMessage: NFCNDEFMessage, completionHandler: @escaping ((any Error)?) -> Void) {
            completionHandler(ndefMessage.records.isEmpty ? NFCReaderError(.readerErrorInvalidParameter) : nil)
        }

        func writeLock(completionHandler: @escaping ((any Error)?) -> Void) {
            completionHandler(NFCReaderError(.ndefReaderSessionErrorTagUpdateFailure))
        }
    }

    /// The same tag, as apps write it today.
    private final class AsyncTag: SignatureTag, NFCNDEFTag, @unchecked Sendable {
        func queryNDEFStatus() async throws -> (NFCNDEFStatus, Int) { (.readWrite, 46) }
        func readNDEF() async throws -> NFCNDEFMessage { message }
        func writeNDEF(_ ndefMessage: NFCNDEFMessage) async throws {
            if ndefMessage.records.isEmpty { throw NFCReaderError(.readerErrorInvalidParameter) }
        }
        func writeLock() async throws { throw NFCReaderError(.ndefReaderSessionErrorTagUpdateFailure) }
    }

    @Test func theRawValuesAreThoseOfIOS() {
        #expect((UInt(0)...9).compactMap(NFCNDEFStatus.init(rawValue:)) == [.notSupported, .readWrite, .readOnly])
        #expect(NFCNDEFStatus.notSupported.rawValue == 1)
        #expect(NFCNDEFStatus.readWrite.rawValue == 2)
        #expect(NFCNDEFStatus.readOnly.rawValue == 3)
    }

    @Test func aSwitchNeedsNoDefaultAndMayHaveAnUnknownOne() {
        let exhaustive = { (status: NFCNDEFStatus) -> UInt in
            switch status {
            case .notSupported: 1
            case .readWrite: 2
            case .readOnly: 3
            }
        }
        let careful = { (status: NFCNDEFStatus) -> UInt in
            switch status {
            case .notSupported: 1
            case .readWrite: 2
            case .readOnly: 3
            @unknown default: 0
            }
        }
        for status in [NFCNDEFStatus.notSupported, .readWrite, .readOnly] {
            #expect(exhaustive(status) == status.rawValue)
            #expect(careful(status) == status.rawValue)
        }
    }

    /// For each operation, either form is sufficient.
    @Test(arguments: [HandlerTag(), AsyncTag()] as [any NFCNDEFTag & Sendable])
    func aTagServesBothForms(_ tag: any NFCNDEFTag & Sendable) async throws {
        #expect(tag.isAvailable)
        #expect(try await tag.queryNDEFStatus() == (.readWrite, 46))
        #expect(try await tag.readNDEF() === message)
        try await tag.writeNDEF(message)
        #expect(await code { try await tag.writeNDEF(NFCNDEFMessage(records: [])) } == 3)
        #expect(await code { try await tag.writeLock() } == 401)

        let (status, capacity, error) = await withCheckedContinuation { continuation in
            tag.queryNDEFStatus { continuation.resume(returning: ($0, $1, $2)) }
        }
        #expect((status, capacity) == (.readWrite, 46))
        #expect(error == nil)
        let read = await withCheckedContinuation { continuation in
            tag.readNDEF { message, _ in continuation.resume(returning: message) }
        }
        #expect(read === message)
        let written = await withCheckedContinuation { continuation in
            tag.writeNDEF(NFCNDEFMessage(records: [])) { continuation.resume(returning: $0) }
        }
        #expect((written as? NFCReaderError)?.code == .readerErrorInvalidParameter)
        let locked = await withCheckedContinuation { continuation in
            tag.writeLock { continuation.resume(returning: $0) }
        }
        #expect((locked as? NFCReaderError)?.code == .ndefReaderSessionErrorTagUpdateFailure)
    }
}
