// The forms of iOS 14 with a Result, and forms that differ from the requirement only in name — CoreNFC NFCISO15693Tag

public import Foundation

extension NFCISO15693Tag {
    /// Read Single Block (20).
    @preconcurrency
    public func readSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
        resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
    ) {
        readSingleBlock(requestFlags: flags, blockNumber: blockNumber) { resultHandler(Result($0, unless: $1)) }
    }

    /// Read Multiple Blocks (23).
    @preconcurrency
    public func readMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
        resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
    ) {
        readMultipleBlocks(requestFlags: flags, blockRange: blockRange) { resultHandler(Result($0, unless: $1)) }
    }

    /// Sends a manufacturer-specific command (A0 to DF).
    @preconcurrency
    public func customCommand(
        requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int, customRequestParameters: Data,
        resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
    ) {
        customCommand(
            requestFlags: flags, customCommandCode: customCommandCode, customRequestParameters: customRequestParameters
        ) { resultHandler(Result($0, unless: $1)) }
    }

    /// Extended Read Single Block (30).
    @preconcurrency
    public func extendedReadSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
        resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
    ) {
        extendedReadSingleBlock(requestFlags: flags, blockNumber: blockNumber) { resultHandler(Result($0, unless: $1)) }
    }

    /// Get System Information (2B): reads the identifier, DSFID, AFI, block size, block count and chip.
    @preconcurrency
    public func getSystemInfo(
        requestFlags flags: NFCISO15693RequestFlag,
        resultHandler: @escaping @Sendable (Result<NFCISO15693SystemInfo, any Error>) -> Void
    ) {
        __getSystemInfoAndUID(with: flags) {
            resultHandler(Result(NFCISO15693SystemInfo($0, $1, $2, $3, $4, $5), unless: $6))
        }
    }

    /// Fast Read Multiple Blocks (2D).
    @preconcurrency
    public func fastReadMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
        resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
    ) {
        __fastReadMultipleBlocks(with: flags, blockRange: blockRange) { resultHandler(Result($0, unless: $1)) }
    }

    /// Extended Write Multiple Blocks (34).
    @preconcurrency
    public func extendedWriteMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        __extendedWriteMultipleBlocks(
            withRequestFlags: flags, blockRange: blockRange, dataBlocks: dataBlocks,
            completionHandler: completionHandler)
    }

    /// Authenticate (35).
    @preconcurrency
    public func authenticate(
        requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
        resultHandler: @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data), any Error>) -> Void
    ) {
        __authenticate(withRequestFlags: flags, cryptoSuiteIdentifier: cryptoSuiteIdentifier, message: message) {
            resultHandler(Result(($0, $1), unless: $2))
        }
    }

    /// Key Update (36).
    @preconcurrency
    public func keyUpdate(
        requestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data,
        resultHandler: @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data), any Error>) -> Void
    ) {
        __keyUpdate(withRequestFlags: flags, keyIdentifier: keyIdentifier, message: message) {
            resultHandler(Result(($0, $1), unless: $2))
        }
    }

    /// Challenge (39): sends a challenge, whose answer is read with Read Buffer.
    @preconcurrency
    public func challenge(
        requestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        __challenge(
            withRequestFlags: flags, cryptoSuiteIdentifier: cryptoSuiteIdentifier, message: message,
            completionHandler: completionHandler)
    }

    /// Read Buffer (3A): reads the answer to a challenge or an authentication.
    @preconcurrency
    public func readBuffer(
        requestFlags flags: NFCISO15693RequestFlag,
        resultHandler: @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data), any Error>) -> Void
    ) {
        __readBuffer(withRequestFlags: flags) { resultHandler(Result(($0, $1), unless: $2)) }
    }

    /// Extended Get Multiple Block Security Status (3C).
    @preconcurrency
    public func extendedGetMultipleBlockSecurityStatus(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
        resultHandler: @escaping @Sendable (Result<NFCISO15693MultipleBlockSecurityStatus, any Error>) -> Void
    ) {
        __extendedGetMultipleBlockSecurityStatus(with: flags, blockRange: blockRange) {
            resultHandler(Result(NFCISO15693MultipleBlockSecurityStatus($0), unless: $1))
        }
    }

    /// Extended Fast Read Multiple Blocks (3D).
    @preconcurrency
    public func extendedFastReadMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
        resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
    ) {
        __extendedFastReadMultipleBlocks(with: flags, blockRange: blockRange) { resultHandler(Result($0, unless: $1)) }
    }

    /// Sends any request: the flags byte, the command code and the data.
    ///
    /// The data begins with the UID if the address flag is set.
    @preconcurrency
    public func sendRequest(
        requestFlags flags: Int, commandCode: Int, data: Data?,
        resultHandler: @escaping @Sendable (Result<(NFCISO15693ResponseFlag, Data?), any Error>) -> Void
    ) {
        __sendRequest(withFlag: flags, commandCode: commandCode, data: data) {
            resultHandler(Result(($0, $1), unless: $2))
        }
    }
}
