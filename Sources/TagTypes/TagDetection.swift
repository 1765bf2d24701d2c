// The tag type of an activated target — NFC Forum Digital Protocol (SEL_RES), NXP AN10833 (MIFARE)
import Hexadecimal
public import ReaderInterface

/// Determines the tag type of an activated target.
public enum TagDetection {
    /// The facts about a target that its activation shows.
    public struct Identification: Hashable, Sendable {
        /// The name for display, for example `Type 2 Tag` or `MIFARE Classic (SAK 08)`.
        public let name: String
        /// The tag type, or `nil` if the target is not of a known type.
        public let type: TagType?
        /// The reason, as a clause, why no ``ForumTag`` is created for the target, or `nil` if one is created.
        public let notHandled: String?
    }

    /// Returns the tag type of a target from its activation bytes, without sending anything to it.
    public static func tagType(of target: Target) -> Identification {
        switch target {
        case .nfcA(let target): nfcA(target)
        case .nfcB(let target): nfcB(target)
        case .nfcF: handled(.type3)
        case .jewel: handled(.type1)
        case .nfcV: handled(.type5)
        }
    }

    /// Creates the tag for the target of a channel.
    ///
    /// Nothing is sent to the target.
    ///
    /// - Parameters:
    ///   - channel: the connection to the activated target.
    ///   - patience: how long commands are retried if the tag does not answer.
    /// - Returns: a tag, even if the type of the target is not supported. The status of such a tag is `notSupported`,
    ///   and explains the reason.
    public static func tag(on channel: any TagChannel, patience: Patience = .standard) -> any ForumTag {
        let identification = tagType(of: channel.target)
        switch (identification.notHandled, identification.type) {
        case (nil, .type1): return Type1Tag(on: channel, patience: patience)
        case (nil, .type2): return Type2Tag(on: channel, patience: patience)
        case (nil, .type3): return Type3Tag(on: channel, patience: patience)
        case (nil, .type4): return Type4Tag(on: channel, patience: patience)
        case (nil, .type5): return Type5Tag(on: channel, patience: patience)
        case (nil, .mifareClassic): return ClassicTag(on: channel, patience: patience)
        default: return UnhandledTag(on: channel)
        }
    }

    private static func nfcA(_ target: NFCATarget) -> Identification {
        let sak = target.selRes.hex
        if target.isISODEP { return handled(.type4) }
        // Check the MIFARE bits first, because SEL_RES bits 7…6 alone do not distinguish a MIFARE Classic from a Type 2
        // Tag.
        if target.selRes & 0x10 != 0, target.selRes & 0x08 == 0 {
            return notTag("MIFARE Plus in security level 2 (SAK \(sak))")
        }
        if target.selRes & 0x08 != 0 { return handled(.mifareClassic, "MIFARE Classic (SAK \(sak))") }
        if target.selRes & 0x40 != 0 { return notTag("NFC-DEP target (SAK \(sak))") }
        return target.selRes == 0x00 ? handled(.type2) : notTag("NFC-A target (SAK \(sak))")
    }

    private static func nfcB(_ target: NFCBTarget) -> Identification {
        // If bit 1 of protocol info byte 2 in SENSB_RES is set, ISO-DEP is supported.
        let isISODEP = target.protocolInfo.count > 1 && target.protocolInfo[1] & 0x01 != 0
        return isISODEP ? handled(.type4) : notTag("NFC-B target without ISO-DEP")
    }

    private static func handled(_ type: TagType, _ name: String? = nil) -> Identification {
        Identification(name: name ?? type.description, type: type, notHandled: nil)
    }

    private static func notTag(_ name: String) -> Identification {
        Identification(name: name, type: nil, notHandled: "no NDEF tag type is defined for it")
    }
}
