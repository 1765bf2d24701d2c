// A virtual Type 4A Tag — NFC Forum Type 4 Tag over ISO/IEC 14443-4

import Synchronization

/// A Type 4 Tag of type A: ISO-DEP blocks below, the NDEF tag application above.
///
/// Safe to use from any thread. Once RATS was answered only ISO-DEP blocks count: HLTA and new polls are ignored until
/// S(DESELECT) or the end of the field.
public final class VirtualType4Tag: TypeACardTag, PersistentTag {
    /// ATQA as sent, low byte first.
    public let sensRes: [UInt8]
    /// The UID: 4, 7 or 10 bytes.
    public let nfcID1: [UInt8]
    /// SAK, with the bit for ISO-DEP.
    public let selRes: UInt8
    /// What the tag says of itself.
    public let configuration: Type4Configuration
    private let card: Mutex<TypeACard<NDEFApplication>>

    /// A tag as it leaves the factory.
    /// - Parameters:
    ///   - nfcID1: 4, 7 or 10 bytes.
    ///   - configuration: sizes, limits and access rights.
    ///   - sensRes: ATQA as sent, low byte first; by default that of an NTAG 424 DNA.
    ///   - selRes: SAK, by default ISO-DEP.
    ///   - content: the beginning of the NDEF file, its length field included; the rest is zero.
    public init(
        nfcID1: [UInt8], configuration: Type4Configuration = Type4Configuration(), sensRes: [UInt8] = [0x44, 0x03],
        selRes: UInt8 = 0x20, content: [UInt8] = []
    ) {
        (self.nfcID1, self.sensRes, self.selRes) = (nfcID1, sensRes, selRes)
        self.configuration = configuration
        let application = NDEFApplication(configuration: configuration, content: content)
        card = Mutex(TypeACard(ats: configuration.ats, application, seed: nfcID1))
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

    func withCard<Result: Sendable>(_ body: (inout TypeACard<NDEFApplication>) -> Result) -> Result {
        card.withLock { body(&$0) }
    }
}
