// The async forms of FeliCa commands, which call the forms with a completion handler — CoreNFC NFCFeliCaTag

public import Foundation

extension NFCFeliCaTag {
    /// Calls the form of this method with a completion handler.
    public func polling(
        systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot
    ) async throws -> (Data, Data) {
        try await withCheckedThrowingContinuation { continuation in
            polling(systemCode: systemCode, requestCode: requestCode, timeSlot: timeSlot) { parameter, data, error in
                continuation.resume(with: Result((parameter, data), unless: error))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func requestService(nodeCodeList: [Data]) async throws -> [Data] {
        try await withCheckedThrowingContinuation { continuation in
            requestService(nodeCodeList: nodeCodeList) { versions, error in
                continuation.resume(with: Result(versions, unless: error))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func requestResponse() async throws -> Int {
        try await withCheckedThrowingContinuation { continuation in
            requestResponse { mode, error in
                continuation.resume(with: Result(mode, unless: error))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func readWithoutEncryption(
        serviceCodeList: [Data], blockList: [Data]
    ) async throws -> (Int, Int, [Data]) {
        try await withCheckedThrowingContinuation { continuation in
            readWithoutEncryption(serviceCodeList: serviceCodeList, blockList: blockList) {
                flag1, flag2, blocks, error in
                continuation.resume(with: Result((flag1, flag2, blocks), unless: error))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func writeWithoutEncryption(
        serviceCodeList: [Data], blockList: [Data], blockData: [Data]
    ) async throws -> (Int, Int) {
        try await withCheckedThrowingContinuation { continuation in
            writeWithoutEncryption(serviceCodeList: serviceCodeList, blockList: blockList, blockData: blockData) {
                flag1, flag2, error in
                continuation.resume(with: Result((flag1, flag2), unless: error))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func requestSystemCode() async throws -> [Data] {
        try await withCheckedThrowingContinuation { continuation in
            requestSystemCode { systems, error in
                continuation.resume(with: Result(systems, unless: error))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func requestServiceV2(
        nodeCodeList: [Data]
    ) async throws -> (Int, Int, NFCFeliCaEncryptionId, [Data], [Data]) {
        try await withCheckedThrowingContinuation { continuation in
            requestServiceV2(nodeCodeList: nodeCodeList) { flag1, flag2, encryption, aes, des, error in
                continuation.resume(with: Result((flag1, flag2, encryption, aes, des), unless: error))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func requestSpecificationVersion() async throws -> (Int, Int, Data, Data) {
        try await withCheckedThrowingContinuation { continuation in
            requestSpecificationVersion { flag1, flag2, basic, option, error in
                continuation.resume(with: Result((flag1, flag2, basic, option), unless: error))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func resetMode() async throws -> (Int, Int) {
        try await withCheckedThrowingContinuation { continuation in
            resetMode { flag1, flag2, error in
                continuation.resume(with: Result((flag1, flag2), unless: error))
            }
        }
    }

    /// Calls the form of this method with a completion handler.
    public func sendFeliCaCommand(commandPacket: Data) async throws -> Data {
        try await withCheckedThrowingContinuation { continuation in
            sendFeliCaCommand(commandPacket: commandPacket) { answer, error in
                continuation.resume(with: Result(answer, unless: error))
            }
        }
    }
}
