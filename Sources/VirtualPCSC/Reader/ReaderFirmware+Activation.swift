// The activation of a card and its ATR — PC/SC part 3, 3.1.3.2.3

import VirtualPN532

extension ReaderFirmware {
    /// Selects a card, and returns its ATR, or nil if the card does not answer.
    func activate(_ card: any VirtualTag) -> [UInt8]? {
        if let tag = card as? VirtualISO15693Tag {
            return ContactlessATR.storageCard(standard: ContactlessATR.iso15693Part3, name: tag.chip.cardName)
        }
        guard let target = proximity.activate(card) else { return nil }
        switch card {
        case let tag as any TypeATag: return ContactlessATR.typeA(tag, target)
        case is any TypeBTag: return ContactlessATR.typeB(target)
        case is any FeliCaTag: return ContactlessATR.storageCard(standard: 0x11, name: 0x003B)
        case is any Type1Tag: return ContactlessATR.storageCard(standard: 0x02, name: 0x0030)
        default: return nil
        }
    }
}

extension ContactlessATR {
    private static let isoDEPBit: UInt8 = 0x20

    /// Returns the ATR of a type A card.
    ///
    /// `target` contains SENS_RES, SEL_RES, the length and the bytes of the UID, and the ATS.
    fileprivate static func typeA(_ tag: any TypeATag, _ target: [UInt8]) -> [UInt8] {
        guard tag.selRes & isoDEPBit == 0 else { return card(historicalBytes: historicalBytes(target)) }
        let name: UInt16? =
            switch tag.selRes {
            case 0x00: 0x0003
            case 0x08: 0x0001
            case 0x18: 0x0002
            case 0x09: 0x0026
            default: nil
            }
        // ACS readers use FF and the SAK for cards without a registered name.
        return storageCard(standard: 0x03, name: name ?? 0xFF00 | UInt16(tag.selRes))
    }

    /// Returns the historical bytes, which follow TL, T0 and the interface bytes in the ATS.
    private static func historicalBytes(_ target: [UInt8]) -> [UInt8] {
        guard target.count > 3 else { return [] }
        let ats = target.dropFirst(4 + Int(target[3]))
        guard let format = ats.dropFirst().first else { return [] }
        let interfaceBytes = (4...6).filter { format >> $0 & 1 == 1 }.count
        return Array(ats.dropFirst(2 + interfaceBytes))
    }

    /// Returns the ATR of a type B card, with the application data, the protocol info and MBLI.
    ///
    /// `target` contains ATQB, and the length and the bytes of the answer to ATTRIB.
    fileprivate static func typeB(_ target: [UInt8]) -> [UInt8] {
        let mbli = target.count > 13 ? target[13] & 0xF0 : 0
        return card(historicalBytes: target.dropFirst(5).prefix(7) + [mbli])
    }
}

extension PCSCReaderModel {
    /// Whether the reader's polling detects the tag.
    func canSee(_ tag: any VirtualTag) -> Bool {
        switch tag {
        case is VirtualISO15693Tag: technologies.contains(.iso15693)
        case is any TypeATag: technologies.contains(.typeA)
        case is any TypeBTag: technologies.contains(.typeB)
        case is any FeliCaTag: technologies.contains(.feliCa)
        case is any Type1Tag: technologies.contains(.topaz)
        default: false
        }
    }
}
