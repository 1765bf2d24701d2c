// The forms of FeliCa commands with a Result — CoreNFC NFCFeliCaTag

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
            resultHandler(Result(answer, unless: error))
        }
    }

    /// Request Service: the key versions.
    @preconcurrency
    public func requestService(
        nodeCodeList: [Data], resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
    ) {
        requestService(nodeCodeList: nodeCodeList) { versions, error in
            resultHandler(Result(versions, unless: error))
        }
    }

    /// Request Response: the mode.
    @preconcurrency
    public func requestResponse(resultHandler: @escaping @Sendable (Result<Int, any Error>) -> Void) {
        requestResponse { mode, error in
            resultHandler(Result(mode, unless: error))
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
            resultHandler(Result((flags, blocks), unless: error))
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
            resultHandler(Result(flags, unless: error))
        }
    }

    /// Request System Code: the card's systems.
    @preconcurrency
    public func requestSystemCode(resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void) {
        requestSystemCode { systems, error in
            resultHandler(Result(systems, unless: error))
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
            resultHandler(Result(answer, unless: error))
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
            resultHandler(Result(answer, unless: error))
        }
    }

    /// Reset Mode: status flags.
    @preconcurrency
    public func resetMode(resultHandler: @escaping @Sendable (Result<NFCFeliCaStatusFlag, any Error>) -> Void) {
        resetMode { flag1, flag2, error in
            let flags = NFCFeliCaStatusFlag(statusFlag1: flag1, statusFlag2: flag2)
            resultHandler(Result(flags, unless: error))
        }
    }

    /// Sends a command, starting with the command code, and returns the answer, starting with the response code.
    @preconcurrency
    public func sendFeliCaCommand(
        commandPacket: Data, resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
    ) {
        sendFeliCaCommand(commandPacket: commandPacket) { answer, error in
            resultHandler(Result(answer, unless: error))
        }
    }
}
