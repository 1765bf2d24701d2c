// The forms of FeliCa commands with a Result — CoreNFC NFCFeliCaTag

public import Foundation

extension NFCFeliCaTag {
    /// Polling: selects a system of the card.
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

    /// Request Service: gets the key versions of nodes.
    @preconcurrency
    public func requestService(
        nodeCodeList: [Data], resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void
    ) {
        requestService(nodeCodeList: nodeCodeList) { versions, error in
            resultHandler(Result(versions, unless: error))
        }
    }

    /// Request Response: gets the card's mode.
    @preconcurrency
    public func requestResponse(resultHandler: @escaping @Sendable (Result<Int, any Error>) -> Void) {
        requestResponse { mode, error in
            resultHandler(Result(mode, unless: error))
        }
    }

    /// Read Without Encryption: gets the status flags, and blocks of 16 bytes.
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

    /// Write Without Encryption: writes blocks, and gets the status flags.
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

    /// Request System Code: gets the codes of the card's systems.
    @preconcurrency
    public func requestSystemCode(resultHandler: @escaping @Sendable (Result<[Data], any Error>) -> Void) {
        requestSystemCode { systems, error in
            resultHandler(Result(systems, unless: error))
        }
    }

    /// Request Service v2: gets the status flags, the encryption identifier and the key versions of nodes.
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

    /// Request Specification Version: gets the status flags, the basic version and the versions of the options.
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

    /// Reset Mode: resets the card's mode, and gets the status flags.
    @preconcurrency
    public func resetMode(resultHandler: @escaping @Sendable (Result<NFCFeliCaStatusFlag, any Error>) -> Void) {
        resetMode { flag1, flag2, error in
            let flags = NFCFeliCaStatusFlag(statusFlag1: flag1, statusFlag2: flag2)
            resultHandler(Result(flags, unless: error))
        }
    }

    /// Sends a command that starts with the command code, and gets the answer from the response code on.
    @preconcurrency
    public func sendFeliCaCommand(
        commandPacket: Data, resultHandler: @escaping @Sendable (Result<Data, any Error>) -> Void
    ) {
        sendFeliCaCommand(commandPacket: commandPacket) { answer, error in
            resultHandler(Result(answer, unless: error))
        }
    }
}
