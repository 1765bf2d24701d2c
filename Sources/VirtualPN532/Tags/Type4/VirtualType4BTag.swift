// A virtual Type 4B Tag — NFC Forum Type 4 Tag over ISO/IEC 14443-4 type B

import Synchronization

/// A Type 4 Tag of type B: ATTRIB instead of RATS, the same blocks and application as ``VirtualType4Tag``.
///
/// Safe to use from any thread. Once ATTRIB was answered only ISO-DEP blocks count until S(DESELECT) or the end of the
/// field.
public final class VirtualType4BTag: TypeBCardTag, PersistentTag {
    /// 106 kbit/s only; FSCI 8 (256 bytes), ISO/IEC 14443-4; FWI 7, CIDs.
    static let deliveredInfo: [UInt8] = [0x00, 0x81, 0x71]

    /// PUPI: 4 bytes.
    public let pupi: [UInt8]
    /// Application data of ATQB: 4 bytes, the first of them AFI.
    let applicationData: [UInt8]
    /// Protocol info of ATQB: 3 bytes.
    let protocolInfo: [UInt8]
    /// What the tag says of itself; its ATS is not used.
    public let configuration: Type4Configuration
    private let card: Mutex<TypeBCard<NDEFApplication>>

    /// A tag as it leaves the factory.
    /// - Parameters:
    ///   - pupi: 4 bytes.
    ///   - configuration: sizes, limits and access rights.
    ///   - content: the beginning of the NDEF file, its length field included; the rest is zero.
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

    /// The NDEF file: NLEN (or ENLEN), message, rest.
    public var ndefFile: [UInt8] { card.withLock { $0.application.ndefFile } }

    /// Counts the changes of the non-volatile memory.
    public var generation: Int { card.withLock { $0.application.generation } }

    /// Puts bytes at the beginning of the NDEF file as the factory can, whatever the access conditions say.
    /// - Parameter content: length field and message; what lies beyond the end of the file is left out.
    public func store(_ content: [UInt8]) {
        card.withLock { $0.application.store(content) }
    }

    func withCard<Result: Sendable>(_ body: (inout TypeBCard<NDEFApplication>) -> Result) -> Result {
        card.withLock { body(&$0) }
    }
}
