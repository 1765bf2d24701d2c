// The signatures of FeliCa cards — CoreNFC NFCFeliCaTag and its enums and responses

import CoreNFC
import Testing

@Suite struct FeliCaSignatureTests {
    private class Card: NativeSignatureTag, @unchecked Sendable {
        override var type: __NFCTagType { .feliCa }
        var currentSystemCode: Data { Data([0x12, 0xFC]) }
        var currentIDm: Data { Data(1...8) }
    }

    private final class HandlerCard: Card, NFCFeliCaTag, @unchecked Sendable {
        func polling(
            systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot,
            completionHandler: @escaping (Data, Data, (any Error)?) -> Void
        ) { completionHandler(Data([1]), systemCode, nil) }
        func requestService(nodeCodeList: [Data], completionHandler: @escaping ([Data], (any Error)?) -> Void) {
            completionHandler(nodeCodeList, nil)
        }
        func requestResponse(completionHandler: @escaping (Int, (any Error)?) -> Void) { completionHandler(3, nil) }
        func readWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data],
            completionHandler: @escaping (Int, Int, [Data], (any Error)?) -> Void
        ) { completionHandler(1, 2, blockList, nil) }
        func writeWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data], blockData: [Data],
            completionHandler: @escaping (Int, Int, (any Error)?) -> Void
        ) { completionHandler(3, 4, nil) }
        func requestSystemCode(completionHandler: @escaping ([Data], (any Error)?) -> Void) {
            completionHandler([currentSystemCode], nil)
        }
        func requestServiceV2(
            nodeCodeList: [Data],
            completionHandler: @escaping (Int, Int, NFCFeliCaEncryptionId, [Data], [Data], (any Error)?) -> Void
        ) { completionHandler(5, 6, .AES_DES, nodeCodeList, [], nil) }
        func requestSpecificationVersion(completionHandler: @escaping (Int, Int, Data, Data, (any Error)?) -> Void) {
            completionHandler(7, 8, Data([2]), Data([3]), nil)
        }
        func resetMode(completionHandler: @escaping (Int, Int, (any Error)?) -> Void) { completionHandler(9, 10, nil) }
        func sendFeliCaCommand(commandPacket: Data, completionHandler: @escaping (Data, (any Error)?) -> Void) {
            commandPacket.isEmpty
                ? completionHandler(Data(), NFCReaderError(.readerErrorInvalidParameterLength))
                : completionHandler(commandPacket, nil)
        }
    }

    private final class AsyncCard: Card, NFCFeliCaTag, @unchecked Sendable {
        func polling(
            systemCode: Data, requestCode: NFCFeliCaPollingRequestCode, timeSlot: NFCFeliCaPollingTimeSlot
        ) async throws -> (Data, Data) { (Data([1]), systemCode) }
        func requestService(nodeCodeList: [Data]) async throws -> [Data] { nodeCodeList }
        func requestResponse() async throws -> Int { 3 }
        func readWithoutEncryption(serviceCodeList: [Data], blockList: [Data]) async throws -> (Int, Int, [Data]) {
            (1, 2, blockList)
        }
        func writeWithoutEncryption(
            serviceCodeList: [Data], blockList: [Data], blockData: [Data]
        ) async throws -> (Int, Int) { (3, 4) }
        func requestSystemCode() async throws -> [Data] { [currentSystemCode] }
        func requestServiceV2(nodeCodeList: [Data]) async throws -> (Int, Int, NFCFeliCaEncryptionId, [Data], [Data]) {
            (5, 6, .AES_DES, nodeCodeList, [])
        }
        func requestSpecificationVersion() async throws -> (Int, Int, Data, Data) { (7, 8, Data([2]), Data([3])) }
        func resetMode() async throws -> (Int, Int) { (9, 10) }
        func sendFeliCaCommand(commandPacket: Data) async throws -> Data {
            if commandPacket.isEmpty { throw NFCReaderError(.readerErrorInvalidParameterLength) }
            return commandPacket
        }
    }

    private static let cards: [any NFCFeliCaTag & Sendable] = [HandlerCard(), AsyncCard()]
    private let nodes = [Data([0x0B, 0x00])]
    private let system = Data([0x12, 0xFC])

    @Test func theRawValuesAreThoseOfIOS() {
        let requests: [NFCFeliCaPollingRequestCode] = [.noRequest, .systemCode, .communicationPerformance]
        #expect(requests.map(\.rawValue) == [0, 1, 2])
        #expect((-1...20).compactMap(NFCFeliCaPollingRequestCode.init(rawValue:)) == requests)
        let slots: [NFCFeliCaPollingTimeSlot] = [.max1, .max2, .max4, .max8, .max16]
        #expect(slots.map(\.rawValue) == [0, 1, 3, 7, 15])
        #expect((-1...20).compactMap(NFCFeliCaPollingTimeSlot.init(rawValue:)) == slots)
        #expect([NFCFeliCaEncryptionId.AES, .AES_DES].map(\.rawValue) == [0x4F, 0x41])
        #expect((0...255).compactMap(NFCFeliCaEncryptionId.init(rawValue:)) == [.AES_DES, .AES])
    }

    @Test func switchesNeedNoDefault() {
        func number(_ code: NFCFeliCaPollingRequestCode) -> Int {
            switch code {
            case .noRequest: 0
            case .systemCode: 1
            case .communicationPerformance: 2
            }
        }
        func slots(_ slot: NFCFeliCaPollingTimeSlot) -> Int {
            switch slot {
            case .max1: 1
            case .max2: 2
            case .max4: 4
            case .max8: 8
            case .max16: 16
            }
        }
        func name(_ id: NFCFeliCaEncryptionId) -> String {
            switch id {
            case .AES: "AES"
            case .AES_DES: "AES and DES"
            @unknown default: "?"
            }
        }
        #expect(number(.systemCode) == 1)
        #expect(slots(.max16) == 16)
        #expect(name(.AES_DES) == "AES and DES")
    }

    /// The names before iOS 14 are deprecated, as on iOS.
    @available(*, deprecated) @Test func theOldNamesAreThere() {
        pin(PollingRequestCode.PollingRequestCodeNoRequest, as: NFCFeliCaPollingRequestCode.self)
        #expect(PollingRequestCode.PollingRequestCodeNoRequest == .noRequest)
        #expect(PollingRequestCode.PollingRequestCodeSystemCode == .systemCode)
        #expect(PollingRequestCode.PollingRequestCodeCommunicationPerformance == .communicationPerformance)
        #expect(PollingTimeSlot.PollingTimeSlotMax1 == .max1)
        #expect(PollingTimeSlot.PollingTimeSlotMax2 == .max2)
        #expect(PollingTimeSlot.PollingTimeSlotMax4 == .max4)
        #expect(PollingTimeSlot.PollingTimeSlotMax8 == .max8)
        #expect(PollingTimeSlot.PollingTimeSlotMax16 == .max16)
        #expect(EncryptionId.aes == .AES)
        #expect(EncryptionId.aes_des == .AES_DES)
    }

    @Test(arguments: cards) func theAsyncFormsReachTheCard(_ card: any NFCFeliCaTag & Sendable) async throws {
        #expect(card.currentIDm.count == 8)
        #expect(card.currentSystemCode == system)
        let (pmm, requested) = try await card.polling(systemCode: system, requestCode: .systemCode, timeSlot: .max1)
        #expect((pmm, requested) == (Data([1]), system))
        #expect(try await card.requestService(nodeCodeList: nodes) == nodes)
        #expect(try await card.requestResponse() == 3)
        let (read1, read2, blocks) = try await card.readWithoutEncryption(serviceCodeList: nodes, blockList: nodes)
        #expect((read1, read2, blocks) == (1, 2, nodes))
        let written = try await card.writeWithoutEncryption(serviceCodeList: nodes, blockList: nodes, blockData: nodes)
        #expect(written == (3, 4))
        #expect(try await card.requestSystemCode() == [system])
        let (v1, v2, encryption, aes, des) = try await card.requestServiceV2(nodeCodeList: nodes)
        #expect((v1, v2, encryption, aes, des) == (5, 6, .AES_DES, nodes, []))
        #expect(try await card.requestSpecificationVersion() == (7, 8, Data([2]), Data([3])))
        #expect(try await card.resetMode() == (9, 10))
        #expect(try await card.sendFeliCaCommand(commandPacket: system) == system)
        #expect(await code { _ = try await card.sendFeliCaCommand(commandPacket: Data()) } == 4)
    }

    @Test(arguments: cards) func theHandlerFormsReachTheCard(_ card: any NFCFeliCaTag & Sendable) async {
        let heard = Events<String>()
        card.polling(systemCode: system, requestCode: .noRequest, timeSlot: .max16) {
            heard.record("\($0.count) \($1.count) \($2 == nil)")
        }
        await heard.expect("1 2 true")
        card.requestService(nodeCodeList: nodes) { heard.record("\($0.count) \($1 == nil)") }
        await heard.expect("1 true")
        card.requestResponse { heard.record("\($0) \($1 == nil)") }
        await heard.expect("3 true")
        card.readWithoutEncryption(serviceCodeList: nodes, blockList: nodes) {
            heard.record("\($0) \($1) \($2.count) \($3 == nil)")
        }
        await heard.expect("1 2 1 true")
        card.writeWithoutEncryption(serviceCodeList: nodes, blockList: nodes, blockData: nodes) {
            heard.record("\($0) \($1) \($2 == nil)")
        }
        await heard.expect("3 4 true")
        card.requestSystemCode { heard.record("\($0.count) \($1 == nil)") }
        await heard.expect("1 true")
        card.requestServiceV2(nodeCodeList: nodes) {
            heard.record("\($0) \($1) \($2.rawValue) \($3.count) \($4.count) \($5 == nil)")
        }
        await heard.expect("5 6 65 1 0 true")
        card.requestSpecificationVersion { heard.record("\($0) \($1) \($2.count) \($3.count) \($4 == nil)") }
        await heard.expect("7 8 1 1 true")
        card.resetMode { heard.record("\($0) \($1) \($2 == nil)") }
        await heard.expect("9 10 true")
        card.sendFeliCaCommand(commandPacket: Data()) {
            heard.record("\($0.count) \(($1 as? NFCReaderError)?.errorCode ?? 0)")
        }
        await heard.expect("0 4")
    }

    @Test(arguments: cards) func theResultFormsReachTheCard(_ card: any NFCFeliCaTag & Sendable) async {
        let heard = Events<String>()
        card.polling(
            systemCode: system, requestCode: .noRequest, timeSlot: .max1,
            resultHandler: { (result: Result<NFCFeliCaPollingResponse, any Error>) in
                heard.record("\(result.map { ($0.manufactureParameter.count, $0.requestData?.count) })")
            })
        await heard.expect("success(1, Optional(2))")
        card.requestService(
            nodeCodeList: nodes,
            resultHandler: { (result: Result<[Data], any Error>) in
                heard.record("\(result.map(\.count))")
            })
        await heard.expect("success(1)")
        card.requestResponse(resultHandler: { (result: Result<Int, any Error>) in heard.record("\(result)") })
        await heard.expect("success(3)")
        card.readWithoutEncryption(
            serviceCodeList: nodes, blockList: nodes,
            resultHandler: { (result: Result<(NFCFeliCaStatusFlag, [Data]), any Error>) in
                heard.record("\(result.map { ($0.0.statusFlag1, $0.0.statusFlag2, $0.1.count) })")
            })
        await heard.expect("success(1, 2, 1)")
        card.writeWithoutEncryption(
            serviceCodeList: nodes, blockList: nodes, blockData: nodes,
            resultHandler: { (result: Result<NFCFeliCaStatusFlag, any Error>) in
                heard.record("\(result.map { ($0.statusFlag1, $0.statusFlag2) })")
            })
        await heard.expect("success(3, 4)")
        card.requestSystemCode(resultHandler: { (result: Result<[Data], any Error>) in
            heard.record("\(result.map(\.count))")
        })
        await heard.expect("success(1)")
        card.requestServiceV2(
            nodeCodeList: nodes,
            resultHandler: { (result: Result<NFCFeliCaRequsetServiceV2Response, any Error>) in
                heard.record(
                    "\(result.map { ($0.statusFlag1, $0.statusFlag2, $0.encryptionIdentifier.rawValue, $0.nodeKeyVersionListAES?.count) })"
                )
            })
        await heard.expect("success(5, 6, 65, Optional(1))")
        card.requestSpecificationVersion(
            resultHandler: { (result: Result<NFCFeliCaRequestSpecificationVersionResponse, any Error>) in
                heard.record(
                    "\(result.map { ($0.statusFlag1, $0.statusFlag2, $0.basicVersion?.count, $0.optionVersion?.count) })"
                )
            })
        await heard.expect("success(7, 8, Optional(1), Optional(1))")
        card.resetMode(resultHandler: { (result: Result<NFCFeliCaStatusFlag, any Error>) in
            heard.record("\(result.map { ($0.statusFlag1, $0.statusFlag2) })")
        })
        await heard.expect("success(9, 10)")
        card.sendFeliCaCommand(
            commandPacket: system,
            resultHandler: { (result: Result<Data, any Error>) in
                heard.record("\(result.map(\.count))")
            })
        await heard.expect("success(2)")
    }

    @Test func theResponsesAreStructsThatCanBeMade() {
        var polling = NFCFeliCaPollingResponse(manufactureParameter: system, requestData: nil)
        polling.requestData = system
        polling.manufactureParameter.append(0)
        #expect(polling.manufactureParameter.count == 3)
        var flag = NFCFeliCaStatusFlag(statusFlag1: 1, statusFlag2: 2)
        flag.statusFlag1 = 0
        flag.statusFlag2 = 0
        #expect((flag.statusFlag1, flag.statusFlag2) == (0, 0))
        var service = NFCFeliCaRequsetServiceV2Response(
            statusFlag1: 0, statusFlag2: 0, encryptionIdentifier: .AES, nodeKeyVersionListAES: nodes,
            nodeKeyVersionListDES: nil)
        service.nodeKeyVersionListDES = service.nodeKeyVersionListAES
        #expect(service.nodeKeyVersionListDES == nodes)
        var version = NFCFeliCaRequestSpecificationVersionResponse(
            statusFlag1: 0, statusFlag2: 0, basicVersion: nil, optionVersion: nil)
        version.basicVersion = system
        #expect(version.basicVersion == system)
        #expect(version.optionVersion == nil)
    }
}

extension Events {
    fileprivate func expect(_ event: Event, sourceLocation: SourceLocation = #_sourceLocation) async {
        #expect((try? await next()) == event, sourceLocation: sourceLocation)
    }
}
