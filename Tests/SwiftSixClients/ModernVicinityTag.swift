// An app's own vicinity tag for its unit tests, in Swift 6: the async forms, and handlers where there is no async form
// Written as for iOS: the code does not mention Linux.
// swift-format-ignore-file: AlwaysUseLowerCamelCase

import CoreNFC

/// Records the commands, and answers each of them or fails.
final class ModernVicinityTag: NSObject, NFCISO15693Tag, @unchecked Sendable {
    static var supportsSecureCoding: Bool { true }
    let isAvailable = true
    let type = __NFCTagType.ISO15693
    let session: (any NFCReaderSessionProtocol)? = nil
    let identifier = Data([0xE0, 0x04, 1, 2, 3, 4, 5, 6])
    let icManufacturerCode = 4
    let icSerialNumber = Data([1, 2, 3, 4, 5, 6])

    let block = Data([1, 2, 3, 4])
    let error: NFCReaderError?
    private(set) var commands: [String] = []

    init(error: NFCReaderError? = nil) { self.error = error }
    init?(coder: NSCoder) { nil }
    func encode(with coder: NSCoder) {}
    func copy(with zone: NSZone? = nil) -> Any { self }

    func asNFCISO15693Tag() -> (any NFCISO15693Tag)? { self }
    func asNFCISO7816Tag() -> (any NFCISO7816Tag)? { nil }
    func asNFCFeliCaTag() -> (any NFCFeliCaTag)? { nil }
    func asNFCMiFareTag() -> (any NFCMiFareTag)? { nil }

    func queryNDEFStatus() async throws -> (NFCNDEFStatus, Int) { (.readWrite, 100) }
    func readNDEF() async throws -> NFCNDEFMessage { NFCNDEFMessage(records: []) }
    func writeNDEF(_ ndefMessage: NFCNDEFMessage) async throws {}
    func writeLock() async throws {}

    private func note(_ command: String, _ parameters: Any...) throws {
        commands.append(([command] + parameters.map { "\($0)" }).joined(separator: " "))
        if let error { throw error }
    }

    // MARK: async

    func stayQuiet() async throws {
        try note("stayQuiet")
    }

    func readSingleBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8) async throws -> Data {
        try note("readSingleBlock", flags.rawValue, blockNumber)
        return block
    }

    func writeSingleBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8, dataBlock: Data) async throws
    {
        try note("writeSingleBlock", flags.rawValue, blockNumber, dataBlock.count)
    }

    func lockBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8) async throws {
        try note("lockBlock", flags.rawValue, blockNumber)
    }

    func readMultipleBlocks(requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange) async throws -> [Data] {
        try note("readMultipleBlocks", flags.rawValue, blockRange.length)
        return [block, block]
    }

    func writeMultipleBlocks(requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data])
        async throws
    {
        try note("writeMultipleBlocks", flags.rawValue, blockRange.length, dataBlocks.count)
    }

    func select(requestFlags flags: NFCISO15693RequestFlag) async throws {
        try note("select", flags.rawValue)
    }

    func resetToReady(requestFlags flags: NFCISO15693RequestFlag) async throws {
        try note("resetToReady", flags.rawValue)
    }

    func writeAFI(requestFlags flags: NFCISO15693RequestFlag, afi: UInt8) async throws {
        try note("writeAFI", flags.rawValue, afi)
    }

    func lockAFI(requestFlags flags: NFCISO15693RequestFlag) async throws {
        try note("lockAFI", flags.rawValue)
    }

    func writeDSFID(requestFlags flags: NFCISO15693RequestFlag, dsfid: UInt8) async throws {
        try note("writeDSFID", flags.rawValue, dsfid)
    }

    func lockDSFID(requestFlags flags: NFCISO15693RequestFlag) async throws {
        try note("lockDSFID", flags.rawValue)
    }

    func getMultipleBlockSecurityStatus(requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange) async throws
        -> [NSNumber]
    {
        try note("getMultipleBlockSecurityStatus", flags.rawValue, blockRange.length)
        return [0, 1]
    }

    func customCommand(
        requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int, customRequestParameters: Data
    ) async throws -> Data {
        try note("customCommand", flags.rawValue, customCommandCode, customRequestParameters.count)
        return block
    }

    func extendedReadSingleBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int) async throws -> Data {
        try note("extendedReadSingleBlock", flags.rawValue, blockNumber)
        return block
    }

    func extendedWriteSingleBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int, dataBlock: Data)
        async throws
    {
        try note("extendedWriteSingleBlock", flags.rawValue, blockNumber, dataBlock.count)
    }

    func extendedLockBlock(requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int) async throws {
        try note("extendedLockBlock", flags.rawValue, blockNumber)
    }

    func extendedReadMultipleBlocks(requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange) async throws
        -> [Data]
    {
        try note("extendedReadMultipleBlocks", flags.rawValue, blockRange.length)
        return [block, block]
    }

    // MARK: handlers

    func sendCustomCommand(
        commandConfiguration: NFCISO15693CustomCommandConfiguration,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        completionHandler(Data(), error)
    }

    func readMultipleBlock(
        readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        completionHandler(Data(), error)
    }

    func lockDFSID(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completionHandler(error)
    }

    func getSystemInfo(
        requestFlags flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable (Int, Int, Int, Int, Int, (any Error)?) -> Void
    ) {
        completionHandler(0, 0, 0, 0, 0, error)
    }

    func __getSystemInfoAndUID(
        with flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable (Data?, Int, Int, Int, Int, Int, (any Error)?) -> Void
    ) {
        completionHandler(nil, 0, 0, 0, 0, 0, error)
    }

    func __fastReadMultipleBlocks(
        with flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        completionHandler([], error)
    }

    func __extendedWriteMultipleBlocks(
        withRequestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completionHandler(error)
    }

    func __authenticate(
        withRequestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
    ) {
        completionHandler([], Data(), error)
    }

    func __keyUpdate(
        withRequestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
    ) {
        completionHandler([], Data(), error)
    }

    func __challenge(
        withRequestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        completionHandler(error)
    }

    func __readBuffer(
        withRequestFlags flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
    ) {
        completionHandler([], Data(), error)
    }

    func __extendedGetMultipleBlockSecurityStatus(
        with flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([NSNumber], (any Error)?) -> Void
    ) {
        completionHandler([], error)
    }

    func __extendedFastReadMultipleBlocks(
        with flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        completionHandler([], error)
    }

    func __sendRequest(
        withFlag flags: Int, commandCode: Int, data: Data?,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data?, (any Error)?) -> Void
    ) {
        completionHandler([], nil, error)
    }
}
