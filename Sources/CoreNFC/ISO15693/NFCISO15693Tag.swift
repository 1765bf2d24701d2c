// An ISO 15693 tag and all its commands — CoreNFC NFCISO15693Tag, ISO/IEC 15693-3

public import Foundation

// swift-format-ignore: AlwaysUseLowerCamelCase
/// A vicinity tag (NFC Forum Type 5).
///
/// An error reported by the tag arrives as code 102 with ``NFCISO15693TagResponseErrorKey`` in the user info. Requests
/// contain the tag's identifier unless they are for the selected tag. The address flag is therefore set automatically,
/// or cleared if ``NFCISO15693RequestFlag/select`` is set. All other flags are sent unchanged. An invalid block or
/// range gives code 5, data of the wrong length code 4, and a frame of more than 256 bytes code 105. In these cases,
/// nothing is sent. A command that the reader cannot send, or cannot send with these flags, gives code 1.
///
/// A write or lock that gets no answer succeeds if the tag is found to have changed. For the commands of iOS 13, each
/// form has a default implementation that calls the other. The methods that begin with two underscores are the
/// requirements for the Result and `async` forms of iOS 14.
public protocol NFCISO15693Tag: NFCNDEFTag, __NFCTag {
    /// The identifier: 8 bytes, most significant first.
    var identifier: Data { get }
    /// The manufacturer code of the chip, as in ISO/IEC 7816-6.
    var icManufacturerCode: Int { get }
    /// The manufacturer's serial number of the tag: 6 bytes, most significant first.
    var icSerialNumber: Data { get }

    /// Sends a manufacturer-specific command, with retries while the tag does not answer.
    ///
    /// Gives code 101 if no retries are left, and 300 for an invalid configuration.
    ///
    /// This is the form of iOS 11, which fails with code 1 on a tag of an ``NFCTagReaderSession``.
    @preconcurrency
    func sendCustomCommand(
        commandConfiguration: NFCISO15693CustomCommandConfiguration,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)
    /// Reads several blocks as one piece of data, with retries while the tag does not answer.
    ///
    /// This is the form of iOS 11, which fails with code 1 on a tag of an ``NFCTagReaderSession``.
    @preconcurrency
    func readMultipleBlock(
        readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)

    /// Stay Quiet (02): the tag no longer answers until it is selected or reset.
    @preconcurrency func stayQuiet(completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Stay Quiet (02): the tag no longer answers until it is selected or reset.
    func stayQuiet() async throws

    /// Read Single Block (20).
    @preconcurrency
    func readSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)
    /// Read Single Block (20).
    func readSingleBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8) async throws -> Data

    /// Write Single Block (21).
    @preconcurrency
    func writeSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8, dataBlock: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Write Single Block (21).
    func writeSingleBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8, dataBlock: Data) async throws

    /// Lock Block (22): locks a block permanently.
    @preconcurrency
    func lockBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Lock Block (22): locks a block permanently.
    func lockBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8) async throws

    /// Read Multiple Blocks (23).
    @preconcurrency
    func readMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void)
    /// Read Multiple Blocks (23).
    func readMultipleBlocks(requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange) async throws -> [Data]

    /// Write Multiple Blocks (24).
    @preconcurrency
    func writeMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Write Multiple Blocks (24).
    func writeMultipleBlocks(requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data])
        async throws

    /// Select (25): the tag responds to requests with ``NFCISO15693RequestFlag/select``.
    @preconcurrency
    func select(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Select (25): the tag responds to requests with ``NFCISO15693RequestFlag/select``.
    func select(requestFlags flags: NFCISO15693RequestFlag) async throws

    /// Reset to Ready (26).
    @preconcurrency
    func resetToReady(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Reset to Ready (26).
    func resetToReady(requestFlags flags: NFCISO15693RequestFlag) async throws

    /// Write AFI (27): sets the application family identifier.
    @preconcurrency
    func writeAFI(
        requestFlags flags: NFCISO15693RequestFlag, afi: UInt8,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Write AFI (27): sets the application family identifier.
    func writeAFI(requestFlags flags: NFCISO15693RequestFlag, afi: UInt8) async throws

    /// Lock AFI (28): locks the AFI permanently.
    @preconcurrency
    func lockAFI(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Lock AFI (28): locks the AFI permanently.
    func lockAFI(requestFlags flags: NFCISO15693RequestFlag) async throws

    /// Write DSFID (29): sets the data storage format identifier.
    @preconcurrency
    func writeDSFID(
        requestFlags flags: NFCISO15693RequestFlag, dsfid: UInt8,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Write DSFID (29): sets the data storage format identifier.
    func writeDSFID(requestFlags flags: NFCISO15693RequestFlag, dsfid: UInt8) async throws

    /// Lock DSFID (2A): locks the DSFID permanently.
    @preconcurrency
    func lockDSFID(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Lock DSFID (2A): locks the DSFID permanently.
    func lockDSFID(requestFlags flags: NFCISO15693RequestFlag) async throws

    /// Lock DSFID (2A): locks the DSFID permanently.
    ///
    /// The name is spelled as in iOS 13.
    @available(*, deprecated, renamed: "lockDSFID(requestFlags:completionHandler:)")
    @preconcurrency
    func lockDFSID(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Get System Information (2B): reads the DSFID, AFI, block size, block count and chip.
    @available(*, deprecated, message: "Use systemInfo(requestFlags:).")
    @preconcurrency
    func getSystemInfo(
        requestFlags flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable (Int, Int, Int, Int, Int, (any Error)?) -> Void)

    /// Get Multiple Block Security Status (2C): reads one byte for each block.
    @preconcurrency
    func getMultipleBlockSecurityStatus(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([NSNumber], (any Error)?) -> Void)
    /// Get Multiple Block Security Status (2C): reads one byte for each block.
    func getMultipleBlockSecurityStatus(requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange) async throws
        -> [NSNumber]

    /// Sends a manufacturer-specific command (A0 to DF).
    @preconcurrency
    func customCommand(
        requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int, customRequestParameters: Data,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)
    /// Sends a manufacturer-specific command (A0 to DF).
    func customCommand(
        requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int, customRequestParameters: Data
    ) async throws -> Data

    /// Extended Read Single Block (30).
    @preconcurrency
    func extendedReadSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)
    /// Extended Read Single Block (30).
    func extendedReadSingleBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int) async throws -> Data

    /// Extended Write Single Block (31).
    @preconcurrency
    func extendedWriteSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int, dataBlock: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Extended Write Single Block (31).
    func extendedWriteSingleBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int, dataBlock: Data)
        async throws

    /// Extended Lock Block (32): locks a block permanently.
    @preconcurrency
    func extendedLockBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Extended Lock Block (32): locks a block permanently.
    func extendedLockBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int) async throws

    /// Extended Read Multiple Blocks (33).
    @preconcurrency
    func extendedReadMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void)
    /// Extended Read Multiple Blocks (33).
    func extendedReadMultipleBlocks(requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange) async throws
        -> [Data]

    // The requirements of iOS 14. Swift code calls the methods in the extensions instead.

    /// Get System Information (2B): reads the identifier, DSFID, AFI, block size, block count and chip.
    @preconcurrency
    func __getSystemInfoAndUID(
        with flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable (Data?, Int, Int, Int, Int, Int, (any Error)?) -> Void)
    /// Fast Read Multiple Blocks (2D).
    @preconcurrency
    func __fastReadMultipleBlocks(
        with flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void)
    /// Extended Write Multiple Blocks (34).
    @preconcurrency
    func __extendedWriteMultipleBlocks(
        withRequestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Authenticate (35).
    @preconcurrency
    func __authenticate(
        withRequestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void)
    /// Key Update (36).
    @preconcurrency
    func __keyUpdate(
        withRequestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void)
    /// Challenge (39): sends a challenge, whose answer is read with Read Buffer.
    @preconcurrency
    func __challenge(
        withRequestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void)
    /// Read Buffer (3A): reads the answer to a challenge or an authentication.
    @preconcurrency
    func __readBuffer(
        withRequestFlags flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void)
    /// Extended Get Multiple Block Security Status (3C).
    @preconcurrency
    func __extendedGetMultipleBlockSecurityStatus(
        with flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([NSNumber], (any Error)?) -> Void)
    /// Extended Fast Read Multiple Blocks (3D).
    @preconcurrency
    func __extendedFastReadMultipleBlocks(
        with flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void)
    /// Sends any request: the flags byte, the command code and the data.
    ///
    /// The data begins with the UID if the address flag is set. An error response from the tag is returned like any
    /// other response. If the flags or the command code does not fit into one byte, the call fails with code 5.
    @preconcurrency
    func __sendRequest(
        withFlag flags: Int, commandCode: Int, data: Data?,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data?, (any Error)?) -> Void)
}
