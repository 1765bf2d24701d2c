// FeliCa cards — CoreNFC NFCFeliCaTag; JIS X 6319-4, FeliCa Card User's Manual

public import Foundation

/// A FeliCa card.
///
/// Its operations require a connection. They give code 100 if the card has left the field, and 104 while it is not
/// connected. Node and service codes are 2 bytes, low byte first. Status flags are reported as the card sent them and
/// are never an error: the data is valid only if the first flag is 0.
public protocol NFCFeliCaTag: NFCNDEFTag, __NFCTag {
    /// The code of the selected system, 2 bytes with the high byte first.
    var currentSystemCode: Data { get }
    /// The manufacture ID of the card in the selected system, 8 bytes.
    var currentIDm: Data { get }

    /// Polling: selects a system of the card.
    ///
    /// The handler receives PMm, 8 bytes, and the requested data, which is empty if the card does not return it.
    ///
    /// Error codes: 4 for a system code that is not 2 bytes; 3 for a system code with the wildcard `FF`; 2 if the
    /// session has system codes and this is not one of them; 102 if the card does not have the system.
    @preconcurrency
    func polling(
        systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot,
        completionHandler: @escaping @Sendable (Data, Data, (any Error)?) -> Void)

    /// Polling: selects a system of the card, and returns PMm and the requested data.
    func polling(
        systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot
    ) async throws -> (Data, Data)

    /// Request Service: gets the key versions of 1 to 32 nodes, 2 bytes each.
    ///
    /// `FF FF` means that the node does not exist.
    @preconcurrency
    func requestService(
        nodeCodeList: [Data], completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void)

    /// Request Service: gets the key versions of nodes.
    func requestService(nodeCodeList: [Data]) async throws -> [Data]

    /// Request Response: gets the card's mode, 0 to 3.
    @preconcurrency
    func requestResponse(completionHandler: @escaping @Sendable (Int, (any Error)?) -> Void)

    /// Request Response: gets the card's mode, 0 to 3.
    func requestResponse() async throws -> Int

    /// Read Without Encryption: gets the status flags, and blocks of 16 bytes.
    ///
    /// - Parameters:
    ///   - serviceCodeList: 1 to 16 services.
    ///   - blockList: block list elements of 2 or 3 bytes.
    ///   - completionHandler: receives both status flags and the blocks.
    @preconcurrency
    func readWithoutEncryption(
        serviceCodeList: [Data], blockList: [Data],
        completionHandler: @escaping @Sendable (Int, Int, [Data], (any Error)?) -> Void)

    /// Read Without Encryption: gets the status flags, and blocks of 16 bytes.
    func readWithoutEncryption(serviceCodeList: [Data], blockList: [Data]) async throws -> (Int, Int, [Data])

    /// Write Without Encryption: writes blocks, and gets the status flags.
    ///
    /// - Parameters:
    ///   - serviceCodeList: 1 to 16 services.
    ///   - blockList: block list elements of 2 or 3 bytes.
    ///   - blockData: 16 bytes for each element.
    ///   - completionHandler: receives both status flags.
    @preconcurrency
    func writeWithoutEncryption(
        serviceCodeList: [Data], blockList: [Data], blockData: [Data],
        completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void)

    /// Write Without Encryption: writes blocks, and gets the status flags.
    func writeWithoutEncryption(
        serviceCodeList: [Data], blockList: [Data], blockData: [Data]
    ) async throws -> (Int, Int)

    /// Request System Code: gets the codes of the card's systems, 2 bytes each with the high byte first.
    @preconcurrency
    func requestSystemCode(completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void)

    /// Request System Code: gets the codes of the card's systems.
    func requestSystemCode() async throws -> [Data]

    /// Request Service v2: gets the status flags, the encryption identifier, and the key versions for AES and for DES.
    @preconcurrency
    func requestServiceV2(
        nodeCodeList: [Data],
        completionHandler: @escaping @Sendable (Int, Int, NFCFeliCaEncryptionId, [Data], [Data], (any Error)?) -> Void)

    /// Request Service v2: gets the status flags, the encryption identifier, and the key versions for AES and for DES.
    func requestServiceV2(nodeCodeList: [Data]) async throws -> (Int, Int, NFCFeliCaEncryptionId, [Data], [Data])

    /// Request Specification Version: gets the status flags, the basic version and the versions of the options.
    @preconcurrency
    func requestSpecificationVersion(
        completionHandler: @escaping @Sendable (Int, Int, Data, Data, (any Error)?) -> Void)

    /// Request Specification Version: gets the status flags, the basic version and the versions of the options.
    func requestSpecificationVersion() async throws -> (Int, Int, Data, Data)

    /// Reset Mode: resets the card's mode, and gets the status flags.
    @preconcurrency
    func resetMode(completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void)

    /// Reset Mode: resets the card's mode, and gets the status flags.
    func resetMode() async throws -> (Int, Int)

    /// Sends a command of up to 254 bytes, and passes the answer to the handler.
    ///
    /// The command starts with the command code, and the answer with the response code. The length byte and the CRC are
    /// added to the command and removed from the answer.
    @preconcurrency
    func sendFeliCaCommand(
        commandPacket: Data, completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void)

    /// Sends a command that starts with the command code, and returns the answer from the response code on.
    func sendFeliCaCommand(commandPacket: Data) async throws -> Data
}
