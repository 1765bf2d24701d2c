// The async forms of the commands, which call those with a completion handler — CoreNFC NFCISO15693Tag

public import Foundation

extension NFCISO15693Tag {
    /// Calls the form of this method with a completion handler.
    public func stayQuiet() async throws {
        try await withCheckedThrowingContinuation { continuation in
            stayQuiet { continuation.resume(with: Result((), unless: $0)) }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func readSingleBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            readSingleBlock(requestFlags: flags, blockNumber: blockNumber) {
                continuation.resume(with: Result($0, unless: $1))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func writeSingleBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8, dataBlock: Data)
        async throws
    {
        try await withCheckedThrowingContinuation { continuation in
            writeSingleBlock(requestFlags: flags, blockNumber: blockNumber, dataBlock: dataBlock) {
                continuation.resume(with: Result((), unless: $0))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func lockBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8) async throws {
        try await withCheckedThrowingContinuation { continuation in
            lockBlock(requestFlags: flags, blockNumber: blockNumber) {
                continuation.resume(with: Result((), unless: $0))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func readMultipleBlocks(requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange) async throws
        -> [Data]
    {
        try await withCheckedThrowingContinuation { continuation in
            readMultipleBlocks(requestFlags: flags, blockRange: blockRange) {
                continuation.resume(with: Result($0, unless: $1))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func writeMultipleBlocks(requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data])
        async throws
    {
        try await withCheckedThrowingContinuation { continuation in
            writeMultipleBlocks(requestFlags: flags, blockRange: blockRange, dataBlocks: dataBlocks) {
                continuation.resume(with: Result((), unless: $0))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func select(requestFlags flags: NFCISO15693RequestFlag) async throws {
        try await withCheckedThrowingContinuation { continuation in
            select(requestFlags: flags) { continuation.resume(with: Result((), unless: $0)) }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func resetToReady(requestFlags flags: NFCISO15693RequestFlag) async throws {
        try await withCheckedThrowingContinuation { continuation in
            resetToReady(requestFlags: flags) { continuation.resume(with: Result((), unless: $0)) }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func writeAFI(requestFlags flags: NFCISO15693RequestFlag, afi: UInt8) async throws {
        try await withCheckedThrowingContinuation { continuation in
            writeAFI(requestFlags: flags, afi: afi) { continuation.resume(with: Result((), unless: $0)) }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func lockAFI(requestFlags flags: NFCISO15693RequestFlag) async throws {
        try await withCheckedThrowingContinuation { continuation in
            lockAFI(requestFlags: flags) { continuation.resume(with: Result((), unless: $0)) }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func writeDSFID(requestFlags flags: NFCISO15693RequestFlag, dsfid: UInt8) async throws {
        try await withCheckedThrowingContinuation { continuation in
            writeDSFID(requestFlags: flags, dsfid: dsfid) { continuation.resume(with: Result((), unless: $0)) }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func lockDSFID(requestFlags flags: NFCISO15693RequestFlag) async throws {
        try await withCheckedThrowingContinuation { continuation in
            lockDSFID(requestFlags: flags) { continuation.resume(with: Result((), unless: $0)) }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func getMultipleBlockSecurityStatus(requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange)
        async throws -> [NSNumber]
    {
        try await withCheckedThrowingContinuation { continuation in
            getMultipleBlockSecurityStatus(requestFlags: flags, blockRange: blockRange) {
                continuation.resume(with: Result($0, unless: $1))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func customCommand(
        requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int, customRequestParameters: Data
    ) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            customCommand(
                requestFlags: flags, customCommandCode: customCommandCode,
                customRequestParameters: customRequestParameters
            ) { continuation.resume(with: Result($0, unless: $1)) }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func extendedReadSingleBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int) async throws
        -> Data
    {
        try await withCheckedThrowingContinuation { continuation in
            extendedReadSingleBlock(requestFlags: flags, blockNumber: blockNumber) {
                continuation.resume(with: Result($0, unless: $1))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func extendedWriteSingleBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int, dataBlock: Data)
        async throws
    {
        try await withCheckedThrowingContinuation { continuation in
            extendedWriteSingleBlock(requestFlags: flags, blockNumber: blockNumber, dataBlock: dataBlock) {
                continuation.resume(with: Result((), unless: $0))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func extendedLockBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int) async throws {
        try await withCheckedThrowingContinuation { continuation in
            extendedLockBlock(requestFlags: flags, blockNumber: blockNumber) {
                continuation.resume(with: Result((), unless: $0))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func extendedReadMultipleBlocks(requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange) async throws
        -> [Data]
    {
        try await withCheckedThrowingContinuation { continuation in
            extendedReadMultipleBlocks(requestFlags: flags, blockRange: blockRange) {
                continuation.resume(with: Result($0, unless: $1))
            }
        }
    }
}

// iOS 14
extension NFCISO15693Tag {
    /// Get System Information (2B): reads the identifier, DSFID, AFI, block size, block count and chip.
    public func systemInfo(requestFlags flags: NFCISO15693RequestFlag) async throws -> NFCISO15693SystemInfo {
        try await withCheckedThrowingContinuation { continuation in
            __getSystemInfoAndUID(with: flags) {
                continuation.resume(with: Result(NFCISO15693SystemInfo($0, $1, $2, $3, $4, $5), unless: $6))
            }
        }
    }

    /// Fast Read Multiple Blocks (2D).
    public func fastReadMultipleBlocks(requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange) async throws
        -> [Data]
    {
        try await withCheckedThrowingContinuation { continuation in
            __fastReadMultipleBlocks(with: flags, blockRange: blockRange) {
                continuation.resume(with: Result($0, unless: $1))
            }
        }
    }

    /// Extended Write Multiple Blocks (34).
    public func extendedWriteMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data]
    ) async throws {
        try await withCheckedThrowingContinuation { continuation in
            __extendedWriteMultipleBlocks(withRequestFlags: flags, blockRange: blockRange, dataBlocks: dataBlocks) {
                continuation.resume(with: Result((), unless: $0))
            }
        }
    }

    /// Authenticate (35).
    public func authenticate(requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data)
        async throws -> (NFCISO15693ResponseFlag, Data)
    {
        try await withCheckedThrowingContinuation { continuation in
            __authenticate(withRequestFlags: flags, cryptoSuiteIdentifier: cryptoSuiteIdentifier, message: message) {
                continuation.resume(with: Result(($0, $1), unless: $2))
            }
        }
    }

    /// Key Update (36).
    public func keyUpdate(requestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data) async throws
        -> (NFCISO15693ResponseFlag, Data)
    {
        try await withCheckedThrowingContinuation { continuation in
            __keyUpdate(withRequestFlags: flags, keyIdentifier: keyIdentifier, message: message) {
                continuation.resume(with: Result(($0, $1), unless: $2))
            }
        }
    }

    /// Challenge (39): sends a challenge, whose answer is read with Read Buffer.
    public func challenge(requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data)
        async throws
    {
        try await withCheckedThrowingContinuation { continuation in
            __challenge(withRequestFlags: flags, cryptoSuiteIdentifier: cryptoSuiteIdentifier, message: message) {
                continuation.resume(with: Result((), unless: $0))
            }
        }
    }

    /// Read Buffer (3A): reads the answer to a challenge or an authentication.
    public func readBuffer(requestFlags flags: NFCISO15693RequestFlag) async throws -> (NFCISO15693ResponseFlag, Data) {
        try await withCheckedThrowingContinuation { continuation in
            __readBuffer(withRequestFlags: flags) { continuation.resume(with: Result(($0, $1), unless: $2)) }
        }
    }

    /// Extended Get Multiple Block Security Status (3C).
    public func extendedGetMultipleBlockSecurityStatus(requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange)
        async throws -> NFCISO15693MultipleBlockSecurityStatus
    {
        try await withCheckedThrowingContinuation { continuation in
            __extendedGetMultipleBlockSecurityStatus(with: flags, blockRange: blockRange) {
                continuation.resume(with: Result(NFCISO15693MultipleBlockSecurityStatus($0), unless: $1))
            }
        }
    }

    /// Extended Fast Read Multiple Blocks (3D).
    public func extendedFastReadMultipleBlocks(requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange)
        async throws -> [Data]
    {
        try await withCheckedThrowingContinuation { continuation in
            __extendedFastReadMultipleBlocks(with: flags, blockRange: blockRange) {
                continuation.resume(with: Result($0, unless: $1))
            }
        }
    }

    /// Sends any request: the flags byte, the command code and the data.
    ///
    /// The data begins with the UID if the address flag is set.
    public func sendRequest(requestFlags flags: Int, commandCode: Int, data: Data?) async throws -> (
        NFCISO15693ResponseFlag, Data?
    ) {
        try await withCheckedThrowingContinuation { continuation in
            __sendRequest(withFlag: flags, commandCode: commandCode, data: data) {
                continuation.resume(with: Result(($0, $1), unless: $2))
            }
        }
    }
}

extension NFCISO15693SystemInfo {
    init(_ identifier: Data?, _ dsfid: Int, _ afi: Int, _ blockSize: Int, _ blockCount: Int, _ icReference: Int) {
        self.init(
            uniqueIdentifier: identifier ?? Data(), dataStorageFormatIdentifier: dsfid,
            applicationFamilyIdentifier: afi,
            blockSize: blockSize, totalBlocks: blockCount, icReference: icReference)
    }
}

extension NFCISO15693MultipleBlockSecurityStatus {
    init(_ status: [NSNumber]) { self.init(blockSecurityStatus: status.map(\.intValue)) }
}
