// The signatures of records and messages — CoreNFC NFCNDEFPayload, NFCNDEFMessage, NFCTypeNameFormat

import CoreNFC
import Testing

@Suite struct NDEFSignatureTests {
    @Test func theRawValuesAreThoseOfTheStandard() {
        let formats: [NFCTypeNameFormat] = [
            .empty, .nfcWellKnown, .media, .absoluteURI, .nfcExternal, .unknown, .unchanged,
        ]
        #expect(formats.map(\.rawValue) == [UInt8](0...6))
        #expect((UInt8(0)...255).compactMap(NFCTypeNameFormat.init(rawValue:)) == formats)
        for format in formats {
            let raw: UInt8 =
                switch format {
                case .empty: 0
                case .nfcWellKnown: 1
                case .media: 2
                case .absoluteURI: 3
                case .nfcExternal: 4
                case .unknown: 5
                case .unchanged: 6
                @unknown default: 7
                }
            #expect(format.rawValue == raw)
        }
    }

    @Test func aRecordsFourPartsAreReadAndWritten() {
        pin(\.typeNameFormat, as: ReferenceWritableKeyPath<NFCNDEFPayload, NFCTypeNameFormat>.self)
        pin(\.type, as: ReferenceWritableKeyPath<NFCNDEFPayload, Data>.self)
        pin(\.identifier, as: ReferenceWritableKeyPath<NFCNDEFPayload, Data>.self)
        pin(\.payload, as: ReferenceWritableKeyPath<NFCNDEFPayload, Data>.self)
        pin(
            NFCNDEFPayload.init(format:type:identifier:payload:),
            as: ((NFCTypeNameFormat, Data, Data, Data) -> NFCNDEFPayload).self)
        pin(
            NFCNDEFPayload.init(format:type:identifier:payload:chunkSize:),
            as: ((NFCTypeNameFormat, Data, Data, Data, Int) -> NFCNDEFPayload).self)
        let record: any NSObject & NSSecureCoding = NFCNDEFPayload(
            format: .media, type: Data("a/b".utf8), identifier: Data(), payload: Data([1]), chunkSize: 0)
        #expect((record as? NFCNDEFPayload)?.type == Data("a/b".utf8))
    }

    @Test func wellKnownRecordsAreMadeByTheClassAndMayFail() throws {
        pin(NFCNDEFPayload.wellKnownTypeURIPayload(string:), as: ((String) -> NFCNDEFPayload?).self)
        pin(NFCNDEFPayload.wellKnownTypeURIPayload(url:), as: ((URL) -> NFCNDEFPayload?).self)
        pin(NFCNDEFPayload.wellKnownTypeTextPayload(string:locale:), as: ((String, Locale) -> NFCNDEFPayload?).self)
        pin(NFCNDEFPayload.wellKnownTypeURIPayload, as: ((NFCNDEFPayload) -> () -> URL?).self)
        pin(NFCNDEFPayload.wellKnownTypeTextPayload, as: ((NFCNDEFPayload) -> () -> (String?, Locale?)).self)
        let uri = try #require(NFCNDEFPayload.wellKnownTypeURIPayload(string: "tel:1"))
        #expect(uri.wellKnownTypeURIPayload() == URL(string: "tel:1"))
        #expect(uri.wellKnownTypeTextPayload().0 == nil)
        #expect(uri.wellKnownTypeTextPayload().1 == nil)
        let text = try #require(NFCNDEFPayload.wellKnownTypeTextPayload(string: "a", locale: Locale(identifier: "de")))
        #expect(text.wellKnownTypeTextPayload().0 == "a")
        #expect(text.wellKnownTypeTextPayload().1?.identifier == "de")
        #expect(text.wellKnownTypeURIPayload() == nil)
    }

    /// A subclass gets records of its own class, because the factories return `Self?`.
    @Test func aSubclassMakesItsOwnRecords() {
        final class Record: NFCNDEFPayload, @unchecked Sendable {}
        let record: Record? = Record.wellKnownTypeURIPayload(string: "tel:1")
        #expect(record != nil)
    }

    /// Apple's misspelling, deprecated as on iOS.
    @available(*, deprecated) @Test func theMisspeltFactoryIsThere() {
        pin(NFCNDEFPayload.wellKnowTypeTextPayload(string:locale:), as: ((String, Locale) -> NFCNDEFPayload?).self)
    }

    @Test func aMessageIsMadeOfRecordsOrBytes() throws {
        pin(\.records, as: ReferenceWritableKeyPath<NFCNDEFMessage, [NFCNDEFPayload]>.self)
        pin(\.length, as: KeyPath<NFCNDEFMessage, Int>.self)
        pin(NFCNDEFMessage.init(records:), as: (([NFCNDEFPayload]) -> NFCNDEFMessage).self)
        pin(NFCNDEFMessage.init(NDEFRecords:), as: (([NFCNDEFPayload]) -> NFCNDEFMessage).self)
        pin(NFCNDEFMessage.init(data:), as: ((Data) -> NFCNDEFMessage?).self)
        let message: any NSObject & NSSecureCoding = try #require(NFCNDEFMessage(data: Data([0xD0, 0, 0])))
        #expect((message as? NFCNDEFMessage)?.length == 3)
        #expect(NFCNDEFMessage(data: Data([0xD0])) == nil)
        #expect(NFCNDEFMessage(NDEFRecords: []).records.isEmpty)
    }
}
