// A virtual Type 4B Tag — NFC Forum Type 4 Tag over ISO/IEC 14443-4 type B

import Synchronization

/// A Type 4 Tag of type B.
///
/// It is activated with ATTRIB instead of RATS. Otherwise, it behaves as ``VirtualType4Tag`` does.
///
/// The tag is safe to use from any thread. After it has answered ATTRIB, it accepts only ISO-DEP blocks until
/// S(DESELECT) or the loss of the field.
public final class VirtualType4BTag: TypeBCardTag, PersistentTag {
    /// The protocol info at delivery: 106 kbit/s only, FSCI 8 (256 bytes), ISO/IEC 14443-4, FWI 7, CIDs.
    static let deliveredInfo: [UInt8] = [0x00, 0x81, 0x71]

    /// The PUPI, 4 bytes.
    public let pupi: [UInt8]
    /// The application data in ATQB, 4 bytes.
    ///
    /// The first byte is the AFI.
    let applicationData: [UInt8]
    let protocolInfo: [UInt8]
    /// The properties of the tag.
    ///
    /// The ATS is not used.
    public let configuration: Type4Configuration
    private let card: Mutex<TypeBCard<NDEFApplication>>

    /// Creates a tag in delivery state.
    /// - Parameters:
    ///   - pupi: the PUPI, 4 bytes.
    ///   - configuration: sizes, limits and access conditions.
    ///   - content: the start of the NDEF file, including its length field. The rest is zero.
    public convenience init(
        pupi: [UInt8], configuration: Type4Configuration = Type4Configuration(), content: [UInt8] = []
    ) {
        self.init(
            pupi: pupi, applicationData: [0x00, 0x00, 0x00, 0x00], protocolInfo: Self.deliveredInfo,
            configuration: configuration, content: content)
    }

    init(
        pupi: [UInt8], applicationData: [UInt8], protocolInfo: [UInt8], configuration: Type4Configuration,
        content: [UInt8]
    ) {
        (self.pupi, self.configuration) = (pupi, configuration)
        (self.applicationData, self.protocolInfo) = (applicationData, protocolInfo)
        let application = NDEFApplication(configuration: configuration, content: content)
        card = Mutex(
            TypeBCard(pupi: pupi, applicationData: applicationData, protocolInfo: protocolInfo, application))
    }

    /// The content of the NDEF file: NLEN or ENLEN, the message, and the rest of the file.
    public var ndefFile: [UInt8] { card.withLock { $0.application.ndefFile } }

    /// The number of changes to the non-volatile memory.
    public var generation: Int { card.withLock { $0.application.generation } }

    /// Writes bytes to the start of the NDEF file regardless of access conditions, as in the factory.
    /// - Parameter content: the length field and the message. Bytes that do not fit into the file are dropped.
    public func store(_ content: [UInt8]) {
        card.withLock { $0.application.store(content) }
    }

    func withCard<Result: Sendable>(_ body: (inout TypeBCard<NDEFApplication>) -> Result) -> Result {
        card.withLock { body(&$0) }
    }
}
