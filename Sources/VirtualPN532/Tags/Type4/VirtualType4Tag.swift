// A virtual Type 4A Tag — NFC Forum Type 4 Tag over ISO/IEC 14443-4

import Synchronization

/// A Type 4 Tag of type A: the NDEF tag application over ISO-DEP.
///
/// The tag is safe to use from any thread. After it has answered RATS, it accepts only ISO-DEP blocks and ignores HLTA
/// and new polls until S(DESELECT) or the loss of the field.
public final class VirtualType4Tag: TypeACardTag, PersistentTag {
    /// ATQA in the order in which it is sent: low byte first.
    public let sensRes: [UInt8]
    /// The UID: 4, 7 or 10 bytes.
    public let nfcID1: [UInt8]
    /// The SAK.
    ///
    /// The default contains the bit for ISO-DEP.
    public let selRes: UInt8
    /// The properties of the tag.
    public let configuration: Type4Configuration
    private let card: Mutex<TypeACard<NDEFApplication>>

    /// Creates a tag in delivery state.
    /// - Parameters:
    ///   - nfcID1: the UID, 4, 7 or 10 bytes.
    ///   - configuration: sizes, limits and access conditions.
    ///   - sensRes: ATQA in the order in which it is sent: low byte first. The default is that of an NTAG 424 DNA.
    ///   - selRes: the SAK. By default, only the bit for ISO-DEP is set.
    ///   - content: the start of the NDEF file, including its length field. The rest is zero.
    public init(
        nfcID1: [UInt8], configuration: Type4Configuration = Type4Configuration(), sensRes: [UInt8] = [0x44, 0x03],
        selRes: UInt8 = 0x20, content: [UInt8] = []
    ) {
        (self.nfcID1, self.sensRes, self.selRes) = (nfcID1, sensRes, selRes)
        self.configuration = configuration
        let application = NDEFApplication(configuration: configuration, content: content)
        card = Mutex(TypeACard(ats: configuration.ats, application, seed: nfcID1))
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

    func withCard<Result: Sendable>(_ body: (inout TypeACard<NDEFApplication>) -> Result) -> Result {
        card.withLock { body(&$0) }
    }
}
