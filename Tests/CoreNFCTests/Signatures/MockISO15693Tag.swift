// A tag as in a client's tests: it implements only what Apple requires, the handler forms — CoreNFC NFCISO15693Tag

import CoreNFC
import Synchronization

// swift-format-ignore: AlwaysUseLowerCamelCase
/// Answers each request with its own value, or with its error, and records the requests.
final class MockISO15693Tag: NSObject, NFCISO15693Tag, Sendable {
    let error: NFCReaderError?
    private let log = Mutex<[String]>([])

    init(error: NFCReaderError? = nil) { self.error = error }

    /// The requests so far: opcode, flags byte and parameters.
    var requests: [String] { log.withLock { $0 } }

    private func note(_ opcode: String, _ flags: NFCISO15693RequestFlag? = nil, _ parameters: Any...) {
        let words = [opcode] + (flags.map { ["\($0.rawValue)"] } ?? []) + parameters.map { text($0) }
        log.withLock { $0.append(words.joined(separator: " ")) }
    }

    let block = Data([1, 2, 3, 4])
    let blocks = [Data([1, 2]), Data([3, 4])]
    let status: [NSNumber] = [0, 1]

    // MARK: NFCISO15693Tag

    let identifier = Data([0xE0, 0x04, 1, 2, 3, 4, 5, 6])
    let icManufacturerCode = 4
    let icSerialNumber = Data([1, 2, 3, 4, 5, 6])

    func sendCustomCommand(
        commandConfiguration: NFCISO15693CustomCommandConfiguration,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        note("custom", nil, commandConfiguration.customCommandCode)
        completionHandler(block, error)
    }

    func readMultipleBlock(
        readConfiguration: NFCISO15693ReadMultipleBlocksConfiguration,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        note("several", nil, readConfiguration.range, readConfiguration.chunkSize)
        completionHandler(block, error)
    }

    // Mocks from the time before Sendable have this form.
    func stayQuiet(completionHandler: @escaping ((any Error)?) -> Void) {
        note("02")
        completionHandler(error)
    }

    func readSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
        completionHandler: @escaping (Data, (any Error)?) -> Void
    ) {
        note("20", flags, blockNumber)
        completionHandler(block, error)
    }

    func writeSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8, dataBlock: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        note("21", flags, blockNumber, dataBlock)
        completionHandler(error)
    }

    func lockBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: UInt8,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        note("22", flags, blockNumber)
        completionHandler(error)
    }

    func readMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        note("23", flags, blockRange)
        completionHandler(blocks, error)
    }

    func writeMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        note("24", flags, blockRange, dataBlocks)
        completionHandler(error)
    }

    func select(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        note("25", flags)
        completionHandler(error)
    }

    func resetToReady(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        note("26", flags)
        completionHandler(error)
    }

    func writeAFI(
        requestFlags flags: NFCISO15693RequestFlag, afi: UInt8,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        note("27", flags, afi)
        completionHandler(error)
    }

    func lockAFI(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        note("28", flags)
        completionHandler(error)
    }

    func writeDSFID(
        requestFlags flags: NFCISO15693RequestFlag, dsfid: UInt8,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        note("29", flags, dsfid)
        completionHandler(error)
    }

    func lockDFSID(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        note("2A", flags)
        completionHandler(error)
    }

    func lockDSFID(
        requestFlags flags: NFCISO15693RequestFlag, completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        note("2A", flags)
        completionHandler(error)
    }

    func getSystemInfo(
        requestFlags flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable (Int, Int, Int, Int, Int, (any Error)?) -> Void
    ) {
        note("2B", flags)
        completionHandler(1, 2, 4, 28, -1, error)
    }

    func getMultipleBlockSecurityStatus(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([NSNumber], (any Error)?) -> Void
    ) {
        note("2C", flags, blockRange)
        completionHandler(status, error)
    }

    func customCommand(
        requestFlags flags: NFCISO15693RequestFlag, customCommandCode: Int, customRequestParameters: Data,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        note("custom", flags, customCommandCode, customRequestParameters)
        completionHandler(block, error)
    }

    func extendedReadSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
        completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        note("30", flags, blockNumber)
        completionHandler(block, error)
    }

    func extendedWriteSingleBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int, dataBlock: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        note("31", flags, blockNumber, dataBlock)
        completionHandler(error)
    }

    func extendedLockBlock(
        requestFlags flags: NFCISO15693RequestFlag, blockNumber: Int,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        note("32", flags, blockNumber)
        completionHandler(error)
    }

    func extendedReadMultipleBlocks(
        requestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        note("33", flags, blockRange)
        completionHandler(blocks, error)
    }

    // MARK: NFCISO15693Tag, iOS 14

    func __getSystemInfoAndUID(
        with flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable (Data?, Int, Int, Int, Int, Int, (any Error)?) -> Void
    ) {
        note("2B", flags)
        completionHandler(error == nil ? identifier : nil, 1, 2, 4, 28, -1, error)
    }

    func __fastReadMultipleBlocks(
        with flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        note("2D", flags, blockRange)
        completionHandler(blocks, error)
    }

    func __extendedWriteMultipleBlocks(
        withRequestFlags flags: NFCISO15693RequestFlag, blockRange: NSRange, dataBlocks: [Data],
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        note("34", flags, blockRange, dataBlocks)
        completionHandler(error)
    }

    func __authenticate(
        withRequestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
    ) {
        note("35", flags, cryptoSuiteIdentifier, message)
        completionHandler(.finalResponse, block, error)
    }

    func __keyUpdate(
        withRequestFlags flags: NFCISO15693RequestFlag, keyIdentifier: Int, message: Data,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
    ) {
        note("36", flags, keyIdentifier, message)
        completionHandler(.responseBufferValid, block, error)
    }

    func __challenge(
        withRequestFlags flags: NFCISO15693RequestFlag, cryptoSuiteIdentifier: Int, message: Data,
        completionHandler: @escaping @Sendable ((any Error)?) -> Void
    ) {
        note("39", flags, cryptoSuiteIdentifier, message)
        completionHandler(error)
    }

    func __readBuffer(
        withRequestFlags flags: NFCISO15693RequestFlag,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data, (any Error)?) -> Void
    ) {
        note("3A", flags)
        completionHandler(.responseBufferValid, block, error)
    }

    func __extendedGetMultipleBlockSecurityStatus(
        with flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([NSNumber], (any Error)?) -> Void
    ) {
        note("3C", flags, blockRange)
        completionHandler(status, error)
    }

    func __extendedFastReadMultipleBlocks(
        with flags: NFCISO15693RequestFlag, blockRange: NSRange,
        completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        note("3D", flags, blockRange)
        completionHandler(blocks, error)
    }

    func __sendRequest(
        withFlag flags: Int, commandCode: Int, data: Data?,
        completionHandler: @escaping @Sendable (NFCISO15693ResponseFlag, Data?, (any Error)?) -> Void
    ) {
        note("any", nil, flags, commandCode, data ?? "nil")
        completionHandler([], data == nil ? nil : block, error)
    }

    // MARK: __NFCTag

    let type = __NFCTagType.ISO15693
    var session: (any NFCReaderSessionProtocol)? { nil }
    func asNFCISO15693Tag() -> (any NFCISO15693Tag)? { self }
    func asNFCISO7816Tag() -> (any NFCISO7816Tag)? { nil }
    func asNFCFeliCaTag() -> (any NFCFeliCaTag)? { nil }
    func asNFCMiFareTag() -> (any NFCMiFareTag)? { nil }

    // MARK: NFCNDEFTag

    let isAvailable = true

    func queryNDEFStatus(completionHandler: @escaping @Sendable (NFCNDEFStatus, Int, (any Error)?) -> Void) {
        completionHandler(.readOnly, 8, error)
    }

    func readNDEF(completionHandler: @escaping @Sendable (NFCNDEFMessage?, (any Error)?) -> Void) {
        completionHandler(nil, error)
    }

    func writeNDEF(_ ndefMessage: NFCNDEFMessage, completionHandler: @escaping @Sendable ((any Error)?) -> Void) {
        completionHandler(error)
    }

    func writeLock(completionHandler: @escaping @Sendable ((any Error)?) -> Void) { completionHandler(error) }

    func copy(with zone: NSZone? = nil) -> Any { self }
    static var supportsSecureCoding: Bool { true }
    func encode(with coder: NSCoder) {}
    required init?(coder: NSCoder) { nil }
}

/// Returns a request's parameter, or an answer, as text.
func text(_ value: Any) -> String {
    switch value {
    case let data as Data: data.map { String(format: "%02x", $0) }.joined()
    case let list as [Data]: list.map { text($0) }.joined(separator: ",")
    case let list as [NSNumber]: "\(list.map(\.intValue))"
    case let range as NSRange: "\(range.location)+\(range.length)"
    case let pair as (NFCISO15693ResponseFlag, Data): "\(pair.0.rawValue) \(text(pair.1))"
    case let pair as (NFCISO15693ResponseFlag, Data?): "\(pair.0.rawValue) \(pair.1.map { text($0) } ?? "nil")"
    case let status as NFCISO15693MultipleBlockSecurityStatus: "\(status.blockSecurityStatus)"
    case let info as NFCISO15693SystemInfo:
        [
            text(info.uniqueIdentifier), "\(info.dataStorageFormatIdentifier)", "\(info.applicationFamilyIdentifier)",
            "\(info.blockSize)", "\(info.totalBlocks)", "\(info.icReference)",
        ].joined(separator: " ")
    default: "\(value)"
    }
}
