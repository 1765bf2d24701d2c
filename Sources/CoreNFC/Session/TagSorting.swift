// Under which kind a target comes to a tag session — CoreNFC NFCTag; NFC Forum Digital; NXP AN10833

import ReaderInterface
import ReaderSession
import TagTypes

/// Distinguishes the kinds of targets of one poll, on the reader's queue.
struct TagSorting {
    let session: NFCTagReaderSession
    let permission: TagPermission

    /// The NDEF applications of Type 4 Tags, mapping version 2.0 and later, and 1.0 — NFC Forum T4T.
    private static let ndefApplications: [[UInt8]] = [
        [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01], [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x00],
    ]

    /// The tag of a target; nil when it is not one for this session, or has left.
    ///
    /// - Throws: the reader's own failure.
    func tag(for tag: DetectedTag) throws -> (any NativeSessionTag)? {
        do {
            switch tag.target {
            case .nfcA(let activation): return try nfcA(activation, tag)
            case .nfcB: return TagDetection.tagType(of: tag.target).type == .type4 ? try card(tag) : nil
            case .nfcF(let activation): return try feliCa(activation, tag)
            case .nfcV: return ISO15693SessionTag(vicinity: tag, in: session)
            case .jewel: return nil
            }
        } catch {
            if let failure = ReaderError(failureIn: error) { throw failure }
            if case ReaderError.aborted = error { throw error }
            return nil
        }
    }

    private func nfcA(_ activation: NFCATarget, _ tag: DetectedTag) throws -> (any NativeSessionTag)? {
        let miFare = { MiFareSessionTag(activation, tag, in: session) }
        guard activation.isISODEP else {
            // MIFARE Classic speaks in cipher, and is not delivered by an iPhone either.
            let type = TagDetection.tagType(of: .nfcA(activation)).type
            return type == .mifareClassic || isPeer(activation) || session.isForPACE ? nil : miFare()
        }
        let isMiFareProduct = activation.isDESFire || MiFareFamily(activation) == .plus
        if permission.identifiers == nil, isMiFareProduct, !session.isForPACE { return miFare() }
        return try card(tag) ?? miFare()
    }

    /// SEL_RES bit 7 without bit 6: a phone or reader that speaks NFC-DEP.
    private func isPeer(_ activation: NFCATarget) -> Bool { activation.selRes & 0x60 == 0x40 }

    /// The target as a card with applications; nil when the session has a list of them, and none is there.
    private func card(_ tag: DetectedTag) throws -> ISO7816SessionTag? {
        var application: [UInt8] = []
        if !session.isForPACE {
            let channel = try session.core.channel(to: tag.target)
            let found = try (permission.identifiers ?? Self.ndefApplications).first { try channel.selects($0) }
            guard found != nil || permission.identifiers == nil else { return nil }
            application = found ?? []
        }
        return ISO7816SessionTag(tag, application: application, permission: permission, in: session)
    }

    private func feliCa(_ activation: NFCFTarget, _ detected: DetectedTag) throws -> FeliCaSessionTag? {
        func tag(_ idm: [UInt8], _ systemCode: [UInt8]) -> FeliCaSessionTag {
            FeliCaSessionTag(detected, idm: idm, systemCode: systemCode, permission: permission, in: session)
        }
        guard let systemCodes = permission.systemCodes else { return tag(activation.nfcID2, activation.systemCode) }
        let commands = FeliCaCommands(over: try session.core.channel(to: detected.target), idm: activation.nfcID2)
        for code in systemCodes {
            // Of another card in the field this is not the answer.
            guard let answer = try commands.polling(systemCode: code),
                FeliCaCommands.isSameCard(answer.idm, commands.idm)
            else { continue }
            return tag(answer.idm, code)
        }
        return nil
    }
}

extension TagChannel {
    /// Whether the card has the application; one that is silent, or answers without a status word, speaks another language, and
    /// has none.
    fileprivate func selects(_ application: [UInt8]) throws -> Bool {
        do throws(TagError) {
            return try RawAPDUExchange(over: self).send(.select(application: application)).sw == .success
        } catch {
            switch error {
            case .protocolViolation: break
            // One that has left does not come back by this.
            case .reader(.noAnswer): try reselect()
            default: throw error
            }
            return false
        }
    }
}

extension NFCTagReaderSession {
    /// Whether it looks for identity cards with PACE, and nothing else.
    var isForPACE: Bool { pollingOption.contains(.pace) }
}
