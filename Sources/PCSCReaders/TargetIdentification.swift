// Identifying a target from a reader's answer to reset and UID — PC/SC part 3, GET DATA

import ReaderInterface

struct TargetIdentification {
    let carrier: any APDUCarrier
    let dialect: ReaderDialect

    /// Returns the target for a card, or nil if the card has no UID.
    ///
    /// This is the case for a contact card.
    func target(atr: [UInt8]) throws(ReaderError) -> Target? {
        let parsed = ContactlessATR(atr)
        let answer = try carrier.transmit([0xFF, 0xCA, 0x00, 0x00, 0x00])
        guard answer.isSuccess, 4...10 ~= answer.data.count else { return nil }
        let uid = answer.data
        guard let card = parsed?.storageCard else { return try isoDEP(uid, parsed?.historicalBytes ?? []) }
        if card.isNFCV {
            return try VicinityIdentifier(carrier: carrier, dialect: dialect).ordered(uid).map {
                .nfcV(NFCVTarget(uid: $0))
            }
        }
        if card.isNFCF { return uid.count == 8 ? try feliCa(uid) : nil }
        if card.isJewel {
            return .jewel(JewelTarget(sensRes: Self.jewelSensRes, uid: Array(uid.prefix(4))))
        }
        guard !card.isNFCB, let selRes = card.selRes else { return nil }
        return .nfcA(NFCATarget(sensRes: Self.sensRes(selRes, uid), selRes: selRes, nfcID1: uid))
    }

    /// The SENS_RES of a Type 1 Tag — NFC Forum Digital Protocol.
    private static let jewelSensRes: [UInt8] = [0x0C, 0x00]

    /// Returns the SENS_RES (ATQA) of NXP chips with this SEL_RES — NXP AN10833.
    ///
    /// Readers do not report the SENS_RES.
    private static func sensRes(_ selRes: UInt8, _ uid: [UInt8]) -> [UInt8] {
        switch (selRes, uid.count) {
        case (0x18, 7), (0x11, 7): [0x00, 0x42]
        case (0x18, _), (0x11, _): [0x00, 0x02]
        case (0x20, 7): [0x03, 0x44]
        case (_, 7): [0x00, 0x44]
        default: [0x00, 0x04]
        }
    }

    // MARK: ISO-DEP

    /// Returns the target for a card that uses APDUs.
    ///
    /// It has type A, unless the historical bytes can only be those of type B.
    private func isoDEP(_ uid: [UInt8], _ historicalBytes: [UInt8]) throws(ReaderError) -> Target {
        // Type B: application data, protocol info, MBLI (PC/SC part 3). In byte 2 of the protocol info, bit 1 indicates
        // ISO-DEP.
        if uid.count == 4, uid[0] != 0x08, historicalBytes.count == 8, historicalBytes[5] & 0x0F == 0x01 {
            return .nfcB(
                NFCBTarget(
                    nfcID0: uid, applicationData: Array(historicalBytes[..<4]),
                    protocolInfo: Array(historicalBytes[4..<7])))
        }
        return .nfcA(
            NFCATarget(
                sensRes: Self.sensRes(0x20, uid), selRes: 0x20, nfcID1: uid, ats: try ats(historicalBytes)))
    }

    /// Returns the answer to select without its length byte.
    ///
    /// Some readers return it for GET DATA with P1 01. Otherwise, it is composed from the historical bytes.
    private func ats(_ historicalBytes: [UInt8]) throws(ReaderError) -> [UInt8] {
        let answer = try carrier.transmit([0xFF, 0xCA, 0x01, 0x00, 0x00])
        if answer.isSuccess, let length = answer.data.first, Int(length) == answer.data.count, length > 1,
            answer.data.suffix(historicalBytes.count).elementsEqual(historicalBytes)
        {
            return Array(answer.data.dropFirst())
        }
        // T0, which announces no interface bytes.
        return historicalBytes.isEmpty ? [] : [0x00] + historicalBytes
    }

    // MARK: FeliCa

    /// A poll (SENSF_REQ) to any system, which requests the system code — JIS X 6319-4, Polling.
    private static let polling: [UInt8] = [0x06, 0x00, 0xFF, 0xFF, 0x01, 0x00]

    /// Returns the target for a FeliCa card, with PMm and system code if the reader can send a poll.
    private func feliCa(_ idm: [UInt8]) throws(ReaderError) -> Target {
        var target = NFCFTarget(
            nfcID2: idm, pad: [UInt8](repeating: 0, count: 8), systemCode: [0xFF, 0xFF])
        if let answer = try poll(), answer.count >= 18, answer[1] == 0x01, answer[2..<10].elementsEqual(idm) {
            target.pad = Array(answer[10..<18])
            if answer.count >= 20 { target.systemCode = Array(answer[18..<20]) }
        }
        return .nfcF(target)
    }

    private func poll() throws(ReaderError) -> [UInt8]? {
        do throws(ReaderError) {
            switch dialect.nfcF {
            case .direct:
                let message = [0xD4, 0x42] + Self.polling
                let answer = try carrier.transmit([0xFF, 0x00, 0x00, 0x00, UInt8(message.count)] + message)
                return answer.isSuccess && answer.data.count > 3 ? Array(answer.data[3...]) : nil
            case .transparent:
                let session = TransparentSession(carrier)
                guard try session.open(.nfcF) else { return nil }
                defer { session.end() }
                return try session.exchange(Self.polling, microseconds: nil).bytes
            case nil: return nil
            }
        } catch {
            guard error == .noAnswer else { throw error }
            return nil
        }
    }
}
