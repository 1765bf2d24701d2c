// The signatures of the tag session and its tags — CoreNFC NFCTagReaderSession, NFCTag, NFCTagCommandConfiguration

import CoreNFC
import Testing

@Suite struct TagSessionSignatureTests {
    /// All three methods are required.
    private final class Delegate: NSObject, NFCTagReaderSessionDelegate {
        func tagReaderSessionDidBecomeActive(_ session: NFCTagReaderSession) {}
        func tagReaderSession(_ session: NFCTagReaderSession, didInvalidateWithError error: any Error) {}
        func tagReaderSession(_ session: NFCTagReaderSession, didDetect tags: [NFCTag]) {}
    }

    private final class MiFareTag: NativeSignatureTag, NFCMiFareTag, @unchecked Sendable {
        var mifareFamily: NFCMiFareFamily { .plus }
        func sendMiFareCommand(commandPacket command: Data) async throws -> Data { command }
        func sendMiFareISO7816Command(_ apdu: NFCISO7816APDU) async throws -> (Data, UInt8, UInt8) { (Data(), 0x90, 0) }
    }

    private let delegate = Delegate()

    @Test func theOptionsAreBits() {
        pin(NFCTagReaderSession.PollingOption.init(rawValue:), as: ((Int) -> NFCTagReaderSession.PollingOption).self)
        let options: [NFCTagReaderSession.PollingOption] = [.iso14443, .iso15693, .iso18092, .pace]
        #expect(options.map(\.rawValue) == [1, 2, 4, 8])
        #expect(([.iso14443, .iso18092] as NFCTagReaderSession.PollingOption).rawValue == 5)
    }

    @Test func aSessionIsMadeOfOptionsAndMayFail() throws {
        pin(
            NFCTagReaderSession.init(pollingOption:delegate:queue:),
            as: ((NFCTagReaderSession.PollingOption, any NFCTagReaderSessionDelegate, DispatchQueue?)
                -> NFCTagReaderSession?).self)
        let session: NFCReaderSession = try #require(
            NFCTagReaderSession(pollingOption: [.iso14443, .iso15693], delegate: delegate))
        #expect(session.delegate === delegate)
        #expect(
            NFCTagReaderSession(pollingOption: .iso18092, delegate: delegate, queue: .main)?.sessionQueue.label
                == DispatchQueue.main.label)
    }

    @Test func aSessionIsMadeOfAConfigurationAndCannotFail() {
        var configuration = NFCTagReaderSession.Configuration(pollingOption: .iso14443)
        #expect(configuration.iso7816SelectIdentifiers.isEmpty && configuration.feliCaSystemCodes.isEmpty)
        configuration.pollingOption.insert(.iso18092)
        configuration.iso7816SelectIdentifiers = ["D2760000850101"]
        configuration.feliCaSystemCodes.append("12FC")
        let session: NFCTagReaderSession = NFCTagReaderSession(configuration: configuration, delegate: delegate)
        #expect(session.connectedTag == nil)
        let other = NFCTagReaderSession(
            configuration: .init(
                pollingOption: .pace, iso7816SelectIdentifiers: ["A0000002471001"], feliCaSystemCodes: []),
            delegate: delegate, queue: .main)
        #expect(other.sessionQueue.label == DispatchQueue.main.label)
    }

    @Test func theMembersAreThoseOfIOS() {
        pin(\.connectedTag, as: KeyPath<NFCTagReaderSession, NFCTag?>.self)
        pin(NFCTagReaderSession.restartPolling, as: ((NFCTagReaderSession) -> () -> Void).self)
        pin(
            NFCTagReaderSession.restartPolling(configuration:),
            as: ((NFCTagReaderSession) -> (NFCTagReaderSession.Configuration) -> Void).self)
        pin(
            NFCTagReaderSession.connect(to:completionHandler:),
            as: ((NFCTagReaderSession) -> (NFCTag, @escaping Handler) -> Void).self)
        pin(NFCTagReaderSession.connect(to:), as: ((NFCTagReaderSession) -> (NFCTag) async throws -> Void).self)
        let delegate: any NFCTagReaderSessionDelegate = delegate
        pin(delegate.tagReaderSessionDidBecomeActive, as: ((NFCTagReaderSession) -> Void).self)
        pin(delegate.tagReaderSession(_:didDetect:), as: ((NFCTagReaderSession, [NFCTag]) -> Void).self)
        pin(
            delegate.tagReaderSession(_:didInvalidateWithError:), as: ((NFCTagReaderSession, any Error) -> Void).self)
    }

    @Test func aTagIsOneOfFour() {
        func kind(_ tag: NFCTag) -> String {
            switch tag {
            case .feliCa(let tag): "\(tag.currentIDm)"
            case let .iso7816(tag): "\(tag.initialSelectedAID)"
            case .iso15693(let tag): "\(tag.icManufacturerCode)"
            case .miFare(let tag): "\(tag.mifareFamily.rawValue)"
            }
        }
        func carefulKind(_ tag: NFCTag) -> Int {
            switch tag {
            case .feliCa: 1
            case .iso7816: 2
            case .iso15693: 3
            case .miFare: 4
            @unknown default: 0
            }
        }
        let tag = NFCTag.miFare(MiFareTag())
        #expect(kind(tag) == "3")
        #expect(carefulKind(tag) == 4)
        #expect(tag.isAvailable)
        if case let .miFare(native) = tag { #expect(native.identifier.count == 7) }
        guard case .miFare = tag else { return #expect(Bool(false)) }
    }

    @Test func theImportersNamesAreThere() {
        #expect(
            (UInt(0)...9).compactMap(__NFCTagType.init(rawValue:)) == [.ISO15693, .feliCa, .iso7816Compatible, .miFare])
        #expect(__NFCTagType.ISO15693.rawValue == 1)
        #expect(__NFCTagType.miFare.rawValue == 4)
        let tag: any __NFCTag = MiFareTag()
        #expect(tag.type == .miFare)
        #expect(tag.session == nil)
        #expect(tag.isAvailable)
        #expect(tag.asNFCMiFareTag() != nil)
        #expect(tag.asNFCFeliCaTag() == nil)
        #expect(tag.asNFCISO7816Tag() == nil)
        #expect(tag.asNFCISO15693Tag() == nil)
    }

    @Test func aCommandConfigurationHasRetries() {
        let configuration: any NSObject & NSCopying = NFCTagCommandConfiguration()
        pin(\.maximumRetries, as: ReferenceWritableKeyPath<NFCTagCommandConfiguration, Int>.self)
        pin(\.retryInterval, as: ReferenceWritableKeyPath<NFCTagCommandConfiguration, TimeInterval>.self)
        let copy = configuration.copy(with: nil) as? NFCTagCommandConfiguration
        #expect(copy?.maximumRetries == 0)
        #expect(copy?.retryInterval == 0)
    }
}
