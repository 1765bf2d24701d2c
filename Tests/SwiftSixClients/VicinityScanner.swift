// An app for vicinity tags in Swift 6: the async forms, on the main actor
// Written as for iOS: the code does not mention Linux.

@preconcurrency import CoreNFC

@MainActor
final class VicinityScanner: NSObject {
    enum Failure: Error { case unavailable, wrongTag, refused(Int) }

    private var session: NFCTagReaderSession?
    private var continuation: CheckedContinuation<NFCTag, any Error>?

    /// Waits for the tag from the delegate, and ends the session whatever happens to the tag.
    private func withTag<Value>(_ body: (any NFCISO15693Tag) async throws -> Value) async throws -> Value {
        guard NFCTagReaderSession.readingAvailable else { throw Failure.unavailable }
        let found: NFCTag = try await withCheckedThrowingContinuation { continuation in
            self.continuation = continuation
            session = NFCTagReaderSession(pollingOption: .iso15693, delegate: self, queue: .main)
            session?.begin()
        }
        defer { session?.invalidate() }
        guard case .iso15693(let tag) = found else { throw Failure.wrongTag }
        try await session?.connect(to: found)
        do {
            return try await body(tag)
        } catch let error as NFCReaderError where error.code == .readerTransceiveErrorTagResponseError {
            guard let code = error.userInfo[NFCISO15693TagResponseErrorKey] as? Int else { throw error }
            throw Failure.refused(code)
        }
    }

    func memory() async throws -> Data {
        try await withTag { tag in
            let info = try await tag.systemInfo(requestFlags: .highDataRate)
            var memory = Data()
            for first in stride(from: 0, to: info.totalBlocks, by: 32) {
                let range = NSRange(location: first, length: min(32, info.totalBlocks - first))
                for block in try await tag.readMultipleBlocks(requestFlags: .highDataRate, blockRange: range) {
                    memory.append(block)
                }
            }
            return memory
        }
    }

    func write(_ block: Data, at number: UInt8, locking: Bool = false) async throws -> [Int] {
        try await withTag { tag in
            try await tag.writeSingleBlock(
                requestFlags: [.highDataRate, .address], blockNumber: number, dataBlock: block)
            if locking { try await tag.lockBlock(requestFlags: .highDataRate, blockNumber: number) }
            return try await tag.getMultipleBlockSecurityStatus(
                requestFlags: .highDataRate, blockRange: NSRange(location: 0, length: Int(number) + 1)
            ).map(\.intValue)
        }
    }

    /// ICODE SLIX2: NXP's signature of the UID.
    func signature() async throws -> Data {
        try await withTag { tag in
            guard tag.icManufacturerCode == 0x04 else { throw Failure.wrongTag }
            return try await tag.customCommand(
                requestFlags: .highDataRate, customCommandCode: 0xBD, customRequestParameters: Data())
        }
    }

    /// ST25DV: a byte of the static configuration.
    func configuration(at pointer: UInt8) async throws -> UInt8? {
        try await withTag { tag in
            guard tag.icManufacturerCode == 0x02 else { throw Failure.wrongTag }
            return try await tag.customCommand(
                requestFlags: .highDataRate, customCommandCode: 0xA0, customRequestParameters: Data([pointer])
            ).first
        }
    }

    func inventory(afi: UInt8, dsfid: UInt8) async throws -> String {
        try await withTag { tag in
            try await tag.select(requestFlags: .highDataRate)
            try await tag.writeAFI(requestFlags: [.highDataRate, .select], afi: afi)
            try await tag.writeDSFID(requestFlags: [.highDataRate, .select], dsfid: dsfid)
            let info = try await tag.systemInfo(requestFlags: [.highDataRate, .select])
            try await tag.resetToReady(requestFlags: .highDataRate)
            try await tag.stayQuiet()
            return "\(info.applicationFamilyIdentifier) \(info.dataStorageFormatIdentifier)"
        }
    }
}

extension VicinityScanner: @preconcurrency NFCTagReaderSessionDelegate {
    func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}

    func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {
        guard let tag = tags.first else { return }
        continuation?.resume(returning: tag)
        continuation = nil
    }

    func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {
        // The end of an earlier scan may arrive after the next one has started.
        guard session === self.session else { return }
        continuation?.resume(throwing: error)
        continuation = nil
    }
}
