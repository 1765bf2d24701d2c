// A virtual Type 4A Tag — NFC Forum Type 4 Tag over ISO/IEC 14443-4

import Synchronization

/// A Type 4 Tag of type A: ISO-DEP blocks below, the NDEF tag application above.
///
/// Safe to use from any thread. Once RATS was answered only ISO-DEP blocks count: HLTA and new polls are ignored until
/// S(DESELECT) or the end of the field.
public final class VirtualType4Tag: TypeATag, PersistentTag {
    private struct Card: Sendable {
        var activation = ActivationState()
        var core: Type4Card

        mutating func powerOff() {
            activation.powerOff()
            core.powerOff()
        }

        mutating func receive(_ frame: [UInt8], isPowerFailing: Bool) -> TagReply {
            guard activation.isActive else { return TagReply(.silence) }
            guard core.link.isOpen else { return activate(frame) }
            let reply = core.receive(frame, isPowerFailing: isPowerFailing)
            if !core.link.isOpen { activation.halt() }
            return reply
        }

        private mutating func activate(_ frame: [UInt8]) -> TagReply {
            if let ats = core.link.answerToSelect(frame) {
                return TagReply(.bytes(ats), delay: Type4Card.frameDelay)
            }
            if frame == [0x50, 0x00] { activation.halt() } else { activation.fallBack() }
            return TagReply(.silence)
        }
    }

    /// ATQA as sent, low byte first.
    public let sensRes: [UInt8]
    /// The UID: 4, 7 or 10 bytes.
    public let nfcID1: [UInt8]
    /// SAK, with the bit for ISO-DEP.
    public let selRes: UInt8
    /// What the tag says of itself.
    public let configuration: Type4Configuration
    private let card: Mutex<Card>

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
        let link = ISODEPLink(ats: configuration.ats)
        card = Mutex(Card(core: Type4Card(link, configuration, content: content, seed: nfcID1)))
    }

    /// The NDEF file: NLEN (or ENLEN), message, rest.
    public var ndefFile: [UInt8] { card.withLock { $0.core.application.ndefFile } }

    /// Counts the changes of the non-volatile memory.
    public var generation: Int { card.withLock { $0.core.generation } }

    /// Puts bytes at the beginning of the NDEF file as the factory can, whatever the access conditions say.
    /// - Parameter content: length field and message; what lies beyond the end of the file is left out.
    public func store(_ content: [UInt8]) {
        card.withLock { $0.core.application.store(content) }
    }

    // MARK: TypeATag

    /// The end of the field: volatile state is lost.
    public func fieldOff() { card.withLock { $0.powerOff() } }

    /// REQA or WUPA.
    public func poll(wakeUp: Bool) -> Bool {
        card.withLock { $0.core.link.isOpen ? false : $0.activation.poll(wakeUp: wakeUp) }
    }

    /// The selection went to another tag.
    public func deselect() {
        card.withLock { if !$0.core.link.isOpen { $0.activation.fallBack() } }
    }

    /// SELECT with this tag's UID.
    public func select() { card.withLock { $0.activation.select() } }

    /// HLTA.
    public func halt() {
        card.withLock { if !$0.core.link.isOpen { $0.activation.halt() } }
    }

    /// A frame without CRC_A.
    public func receive(_ frame: [UInt8]) -> TagReply {
        card.withLock { $0.receive(frame, isPowerFailing: false) }
    }

    /// A frame during whose execution power fails.
    public func receiveTorn(_ frame: [UInt8]) {
        card.withLock {
            _ = $0.receive(frame, isPowerFailing: true)
            $0.powerOff()
        }
    }
}
