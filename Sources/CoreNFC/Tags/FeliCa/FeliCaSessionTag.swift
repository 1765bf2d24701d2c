// A FeliCa card in the field — CoreNFC NFCFeliCaTag; JIS X 6319-4

import Foundation
import ReaderInterface
import ReaderSession
import Synchronization
import TagTypes

// Unchecked: the mutable state is in `current`.
final class FeliCaSessionTag: SessionTag, NFCFeliCaTag, NativeSessionTag, @unchecked Sendable {
    /// The systems that may be polled for.
    private let permission: TagPermission
    /// The selected system.
    ///
    /// May be read from any thread.
    private let current: Mutex<(idm: [UInt8], systemCode: [UInt8])>

    init(
        _ tag: DetectedTag, idm: [UInt8], systemCode: [UInt8], permission: TagPermission, in session: NFCReaderSession
    ) {
        self.permission = permission
        current = Mutex((idm, systemCode))
        super.init(tag, in: session)
    }

    required init?(coder: NSCoder) { nil }

    var kind: NFCTag { .feliCa(self) }

    var currentSystemCode: Data { Data(current.withLock { $0.systemCode }) }
    var currentIDm: Data { Data(current.withLock { $0.idm }) }

    func polling(
        systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot,
        completionHandler: @escaping @Sendable (Data, Data, (any Error)?) -> Void
    ) {
        let code = [UInt8](systemCode)
        send { [permission] commands in
            guard code.count == 2 else { throw NFCReaderError(.readerErrorInvalidParameterLength) }
            guard !code.contains(0xFF) else { throw NFCReaderError(.readerErrorInvalidParameter) }
            guard permission.allows(systemCode: code) else { throw NFCReaderError(.readerErrorSecurityViolation) }
            guard
                let answer = try commands.polling(
                    systemCode: code, requestCode: UInt8(requestCode.rawValue), timeSlot: UInt8(timeSlot.rawValue))
            else { throw TagError.reader(.noAnswer) }
            guard FeliCaCommands.isSameCard(answer.idm, commands.idm) else { throw TagError.reader(.noAnswer) }
            self.current.withLock { $0 = (answer.idm, code) }
            return answer
        } completion: { result in
            switch result {
            case .success(let answer): completionHandler(Data(answer.pmm), Data(answer.requestData), nil)
            case .failure(let error): completionHandler(Data(), Data(), error)
            }
        }
    }

    func requestService(
        nodeCodeList: [Data], completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void
    ) {
        send {
            try $0.requestService(nodes: nodeCodeList.pieces(of: [2], count: 1...32))
        } completion: { result in
            switch result {
            case .success(let versions): completionHandler(versions.map { Data($0) }, nil)
            case .failure(let error): completionHandler([], error)
            }
        }
    }

    func requestResponse(completionHandler: @escaping @Sendable (Int, (any Error)?) -> Void) {
        send {
            try $0.requestResponse()
        } completion: { result in
            switch result {
            case .success(let mode): completionHandler(Int(mode), nil)
            case .failure(let error): completionHandler(0, error)
            }
        }
    }

    func readWithoutEncryption(
        serviceCodeList: [Data], blockList: [Data],
        completionHandler: @escaping @Sendable (Int, Int, [Data], (any Error)?) -> Void
    ) {
        send {
            try $0.read(
                services: serviceCodeList.pieces(of: [2], count: 1...16),
                blocks: blockList.pieces(of: [2, 3], count: 1...255))
        } completion: { result in
            switch result {
            case .success(let answer):
                completionHandler(
                    Int(answer.status.flag1), Int(answer.status.flag2), answer.blocks.map { Data($0) }, nil)
            case .failure(let error): completionHandler(0, 0, [], error)
            }
        }
    }

    func writeWithoutEncryption(
        serviceCodeList: [Data], blockList: [Data], blockData: [Data],
        completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void
    ) {
        sendForStatus {
            guard blockData.count == blockList.count else { throw NFCReaderError(.readerErrorInvalidParameterLength) }
            return try $0.write(
                services: serviceCodeList.pieces(of: [2], count: 1...16),
                blocks: blockList.pieces(of: [2, 3], count: 1...255),
                data: blockData.pieces(of: [FeliCaCommands.blockSize], count: 1...255))
        } completion: {
            completionHandler($0, $1, $2)
        }
    }

    func requestSystemCode(completionHandler: @escaping @Sendable ([Data], (any Error)?) -> Void) {
        send {
            try $0.requestSystemCode()
        } completion: { result in
            switch result {
            case .success(let systems): completionHandler(systems.map { Data($0) }, nil)
            case .failure(let error): completionHandler([], error)
            }
        }
    }

    func requestServiceV2(
        nodeCodeList: [Data],
        completionHandler: @escaping @Sendable (Int, Int, NFCFeliCaEncryptionId, [Data], [Data], (any Error)?) -> Void
    ) {
        send {
            try $0.requestServiceV2(nodes: nodeCodeList.pieces(of: [2], count: 1...32))
        } completion: { result in
            switch result {
            case .success(let (status, versions)):
                let encryption = versions.flatMap { NFCFeliCaEncryptionId(rawValue: Int($0.encryptionIdentifier)) }
                // For an algorithm without a case here, the lists in the answer decide which case is reported.
                let standIn: NFCFeliCaEncryptionId = versions?.des.isEmpty ?? true ? .AES : .AES_DES
                completionHandler(
                    Int(status.flag1), Int(status.flag2), encryption ?? standIn, versions?.aes.map { Data($0) } ?? [],
                    versions?.des.map { Data($0) } ?? [], nil)
            case .failure(let error): completionHandler(0, 0, .AES, [], [], error)
            }
        }
    }

    func requestSpecificationVersion(
        completionHandler: @escaping @Sendable (Int, Int, Data, Data, (any Error)?) -> Void
    ) {
        send {
            try $0.requestSpecificationVersion()
        } completion: { result in
            switch result {
            case .success(let (status, basic, options)):
                completionHandler(Int(status.flag1), Int(status.flag2), Data(basic), Data(options), nil)
            case .failure(let error): completionHandler(0, 0, Data(), Data(), error)
            }
        }
    }

    func resetMode(completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void) {
        sendForStatus {
            try $0.resetMode()
        } completion: {
            completionHandler($0, $1, $2)
        }
    }

    func sendFeliCaCommand(
        commandPacket: Data, completionHandler: @escaping @Sendable (Data, (any Error)?) -> Void
    ) {
        let bytes = [UInt8](commandPacket)
        send {
            guard !bytes.isEmpty else { throw NFCReaderError(.readerErrorInvalidParameterLength) }
            return try $0.send(bytes)
        } completion: { result in
            switch result {
            case .success(let answer): completionHandler(Data(answer), nil)
            case .failure(let error): completionHandler(Data(), error)
            }
        }
    }
}

extension FeliCaSessionTag {
    /// Sends a command to the system that is selected when the command is sent.
    private func send<Value: Sendable>(
        _ command: @escaping @Sendable (FeliCaCommands) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        performOnChannel { channel in
            try command(FeliCaCommands(over: channel, idm: self.current.withLock { $0.idm }))
        } completion: {
            completion($0)
        }
    }

    private func sendForStatus(
        _ command: @escaping @Sendable (FeliCaCommands) throws -> FeliCaStatus,
        completion completionHandler: @escaping @Sendable (Int, Int, (any Error)?) -> Void
    ) {
        send(command) { result in
            switch result {
            case .success(let status): completionHandler(Int(status.flag1), Int(status.flag2), nil)
            case .failure(let error): completionHandler(0, 0, error)
            }
        }
    }
}

extension [Data] {
    /// Returns the bytes of a list's elements.
    ///
    /// - Throws: code 5 for too many or too few elements; code 4 for an element of invalid length.
    fileprivate func pieces(of lengths: Set<Int>, count range: ClosedRange<Int>) throws(NFCReaderError) -> [[UInt8]] {
        guard range ~= count else { throw NFCReaderError(.readerErrorParameterOutOfBound) }
        guard allSatisfy({ lengths.contains($0.count) }) else {
            throw NFCReaderError(.readerErrorInvalidParameterLength)
        }
        return map { [UInt8]($0) }
    }
}
