// Decides as which kind of tag a tag session reports a target — CoreNFC NFCTag; NFC Forum Digital; NXP AN10833

import ReaderInterface
import ReaderSession
import TagTypes

/// Determines the kinds of the targets of one poll, on the reader's queue.
struct TagSorting {
    let session: NFCTagReaderSession
    let permission: TagPermission

    /// The NDEF applications of Type 4 Tags with mapping version 2.0 and later, and with version 1.0 — NFC Forum T4T.
    private static let ndefApplications: [[UInt8]] = [
        [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x01], [0xD2, 0x76, 0x00, 0x00, 0x85, 0x01, 0x00],
    ]

    /// Returns the tag for a target, or nil if this session does not support the tag, or the tag has left.
    ///
    /// - Throws: the failure of the reader itself.
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
            // Like an iPhone, do not report MIFARE Classic: its protocol is encrypted.
            let type = TagDetection.tagType(of: .nfcA(activation)).type
            return type == .mifareClassic || isPeer(activation) || session.isForPACE ? nil : miFare()
        }
        let isMiFareProduct = activation.isDESFire || MiFareFamily(activation) == .plus
        if permission.identifiers == nil, isMiFareProduct, !session.isForPACE { return miFare() }
        return try card(tag) ?? miFare()
    }

    /// Whether the target is a phone or a reader with NFC-DEP, for which bit 7 of SEL_RES is set and bit 6 is not.
    private func isPeer(_ activation: NFCATarget) -> Bool { activation.selRes & 0x60 == 0x40 }

    /// Returns the target as a card with applications.
    ///
    /// Nil if the session lists applications and the card has none of them.
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
            // An answer from another card in the field is ignored.
            guard let answer = try commands.polling(systemCode: code),
                FeliCaCommands.isSameCard(answer.idm, commands.idm)
            else { continue }
            return tag(answer.idm, code)
        }
        return nil
    }
}

extension TagChannel {
    /// Whether the card has the application.
    ///
    /// A card that does not answer, or answers without a status word, does not use ISO/IEC 7816-4 and has no
    /// applications.
    fileprivate func selects(_ application: [UInt8]) throws -> Bool {
        do throws(TagError) {
            return try RawAPDUExchange(over: self).send(.select(application: application)).sw == .success
        } catch {
            switch error {
            case .protocolViolation: break
            // `reselect` throws if the card has left.
            case .reader(.noAnswer): try reselect()
            default: throw error
            }
            return false
        }
    }
}

extension NFCTagReaderSession {
    /// Whether the session looks only for identity cards with PACE.
    var isForPACE: Bool { pollingOption.contains(.pace) }
}
