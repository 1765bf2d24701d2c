// The content of a record, decoded by its TNF and TYPE — NFC Forum NDEF 1.0, section 3.2.6

/// The content of a record.
///
/// It is decoded if the type of the record is known.
public enum RecordContent: Hashable, Sendable {
    /// Text in one language.
    case text(TextRecord)
    /// A URI.
    case uri(URIRecord)
    /// A URI with titles, icons and a recommended action.
    case smartPoster(SmartPosterRecord)
    /// Data of a media type.
    case mime(MIMERecord)
    /// Data of a type that the owner of a domain has defined.
    case external(ExternalRecord)
    /// An Android application.
    case app(AndroidApplicationRecord)
    /// A URI that is the type of the record.
    case absoluteURI(AbsoluteURIRecord)
    /// Wi-Fi networks and their keys.
    case wifi(WiFiRecord)
    /// Alternative carriers, such as Bluetooth, over which two devices can continue to communicate.
    case handover(HandoverRecord)
    /// A carrier without its configuration, which the device sends on request.
    case handoverCarrier(HandoverCarrierRecord)
    /// A Bluetooth device.
    case bluetooth(BluetoothRecord)
    /// A signature (version 2) over the preceding records.
    case signature(SignatureRecord)
    /// The vendor, model and name of a device.
    case deviceInformation(DeviceInformationRecord)
    /// No content (TNF 0).
    case empty
    /// A payload of unknown type (TNF 5).
    case unknown([UInt8])
    /// The payload of a well-known type without a decoder, or of a record with a reserved TNF.
    case other([UInt8])
    /// A payload that violates the rules for its type.
    ///
    /// The reason is a sentence.
    case malformed(reason: String)
}

extension NDEFRecord {
    /// The content of this record.
    ///
    /// If the content is not valid, the result is ``RecordContent/malformed(reason:)``, and no error is thrown. The
    /// content is decoded at each access, but only one level deep: messages inside messages in the payload are not
    /// decoded.
    public var content: RecordContent {
        do throws(ContentError) {
            return try decodedContent()
        } catch {
            return .malformed(reason: error.reason)
        }
    }

    private func decodedContent() throws(ContentError) -> RecordContent {
        switch tnf {
        case .wellKnown where type == TextRecord.type: .text(try TextRecord(record: self))
        case .wellKnown where type == URIRecord.type: .uri(try URIRecord(record: self))
        case .wellKnown where type == SmartPosterRecord.type: .smartPoster(try SmartPosterRecord(record: self))
        case .wellKnown where HandoverRecord.Role(type: type) != nil: .handover(try HandoverRecord(record: self))
        case .wellKnown where type == HandoverCarrierRecord.type:
            .handoverCarrier(try HandoverCarrierRecord(record: self))
        case .wellKnown where type == SignatureRecord.type && SignatureRecord.isReadable(self):
            .signature(try SignatureRecord(record: self))
        case .wellKnown where type == DeviceInformationRecord.type:
            .deviceInformation(try DeviceInformationRecord(record: self))
        case .media where BluetoothRecord.Transport(of: self) != nil: .bluetooth(try BluetoothRecord(record: self))
        case .media where isType(WiFiRecord.type): .wifi(try WiFiRecord(record: self))
        case .media: .mime(try MIMERecord(record: self))
        case .external where isType(AndroidApplicationRecord.type): .app(try AndroidApplicationRecord(record: self))
        case .external: .external(try ExternalRecord(record: self))
        case .absoluteURI: .absoluteURI(try AbsoluteURIRecord(record: self))
        case .empty: .empty
        case .unknown: .unknown(payload)
        case .wellKnown, .unchanged, .reserved: .other(payload)
        }
    }

    /// Whether TYPE equals this lower-case ASCII text, regardless of case.
    ///
    /// Media types (RFC 2045) and external types are case-insensitive, but well-known types are case-sensitive.
    func isType(_ lowerCase: [UInt8]) -> Bool {
        type.elementsEqual(lowerCase) { $0 == $1 || (0x41...0x5A).contains($0) && $0 | 0x20 == $1 }
    }
}
