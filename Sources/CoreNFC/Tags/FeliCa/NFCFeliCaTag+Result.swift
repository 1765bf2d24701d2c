// The forms of FeliCa commands that give a Result — CoreNFC NFCFeliCaTag

public import Foundation

extension NFCFeliCaTag {
    /// Polling.
    @preconcurrency
    public func polling(
        systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot,
        resultHandler: @escaping @Sendable (Result<NFCFeliCaPollingResponse, any Error>) -> Void
    ) {
        polling(systemCode: systemCode, requestCode: requestCode, timeSlot: timeSlot) { parameter, data, error in
            let answer = NFCFeliCaPollingResponse(
                manufactureParameter: parameter, requestData: data.isEmpty ? nil : data)
            resultHandler(error.map { .failure($0) } ?? .success(answer))
        }
    }

    /// Request Service: the key versions.
    @preconcurrency
    public func requestService(
        nodeCodeList: [Data], resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
    ) {
        requestService(nodeCodeList: nodeCodeList) { versions, error in
            resultHandler(error.map { .failure($0) } ?? .success(versions))
        }
    }

    /// Request Response: the mode.
    @preconcurrency
    public func requestResponse(resultHandler: @escaping @Sendable (Result<Int, any Error>) -> Void) {
        requestResponse { mode, error in
            resultHandler(error.map { .failure($0) } ?? .success(mode))
        }
    }

    /// Read Without Encryption: status flags, and blocks of 16 bytes.
    @preconcurrency
    public func readWithoutEncryption(
        serviceCodeList: [Data], blockList: [Data],
        resultHandler: @escaping @Sendable (Result<(NFCFeliCaStatusFlag, [Data]), any Error>) -> Void
    ) {
        readWithoutEncryption(serviceCodeList: serviceCodeList, blockList: blockList) { flag1, flag2, blocks, error in
            let flags = NFCFeliCaStatusFlag(statusFlag1: flag1, statusFlag2: flag2)
            resultHandler(error.map { .failure($0) } ?? .success((flags, blocks)))
        }
    }

    /// Write Without Encryption: status flags.
    @preconcurrency
    public func writeWithoutEncryption(
        serviceCodeList: [Data], blockList: [Data], blockData: [Data],
        resultHandler: @escaping @Sendable (Result<NFCFeliCaStatusFlag, any Error>) -> Void
    ) {
        writeWithoutEncryption(serviceCodeList: serviceCodeList, blockList: blockList, blockData: blockData) {
            flag1, flag2, error in
            let flags = NFCFeliCaStatusFlag(statusFlag1: flag1, statusFlag2: flag2)
            resultHandler(error.map { .failure($0) } ?? .success(flags))
        }
    }

    /// Request System Code: the card's systems.
    @preconcurrency
    public func requestSystemCode(resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void) {
        requestSystemCode { systems, error in
            resultHandler(error.map { .failure($0) } ?? .success(systems))
        }
    }

    /// Request Service v2.
    @preconcurrency
    public func requestServiceV2(
        nodeCodeList: [Data],
        resultHandler: @escaping @Sendable (Result<NFCFeliCaRequsetServiceV2Response, any Error>) -> Void
    ) {
        requestServiceV2(nodeCodeList: nodeCodeList) { flag1, flag2, encryption, aes, des, error in
            let answer = NFCFeliCaRequsetServiceV2Response(
                statusFlag1: flag1, statusFlag2: flag2, encryptionIdentifier: encryption,
                nodeKeyVersionListAES: aes.isEmpty ? nil : aes, nodeKeyVersionListDES: des.isEmpty ? nil : des)
            resultHandler(error.map { .failure($0) } ?? .success(answer))
        }
    }

    /// Request Specification Version.
    @preconcurrency
    public func requestSpecificationVersion(
        resultHandler: @escaping @Sendable (Result<NFCFeliCaRequestSpecificationVersionResponse, any Error>) -> Void
    ) {
        requestSpecificationVersion { flag1, flag2, basic, option, error in
            let answer = NFCFeliCaRequestSpecificationVersionResponse(
                statusFlag1: flag1, statusFlag2: flag2, basicVersion: basic.isEmpty ? nil : basic,
                optionVersion: option.isEmpty ? nil : option)
            resultHandler(error.map { .failure($0) } ?? .success(answer))
        }
    }

    /// Reset Mode: status flags.
    @preconcurrency
    public func resetMode(resultHandler: @escaping @Sendable (Result<NFCFeliCaStatusFlag, any Error>) -> Void) {
        resetMode { flag1, flag2, error in
            let flags = NFCFeliCaStatusFlag(statusFlag1: flag1, statusFlag2: flag2)
            resultHandler(error.map { .failure($0) } ?? .success(flags))
        }
    }

    /// Sends a command, from the command code on, and gives the answer from the response code on.
    @preconcurrency
    public func sendFeliCaCommand(
        commandPacket: Data, resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
    ) {
        sendFeliCaCommand(commandPacket: commandPacket) { answer, error in
            resultHandler(error.map { .failure($0) } ?? .success(answer))
        }
    }
}
