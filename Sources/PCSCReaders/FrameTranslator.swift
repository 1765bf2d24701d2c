// Translation of a tag's own commands into those of a reader — PC/SC part 3, 3.2.2; NFC Forum T2T; ISO/IEC 15693-3

import ReaderInterface

/// Translates commands for one target, but does not send them.
struct FrameTranslator {
    let dialect: ReaderDialect
    let target: Target
    /// Whether transparent sessions have failed on this reader.
    var hasNoSession = false

    static func readBinary(_ address: UInt16, _ length: Int) -> [UInt8] {
        [0xFF, 0xB0, UInt8(address >> 8), UInt8(address & 0xFF), UInt8(truncatingIfNeeded: length)]
    }

    /// Returns UPDATE BINARY with the block number in P1 P2.
    ///
    /// `data` has at most 255 bytes.
    static func updateBinary(_ address: UInt16, _ data: [UInt8]) -> [UInt8] {
        [0xFF, 0xD6, UInt8(address >> 8), UInt8(address & 0xFF), UInt8(truncatingIfNeeded: data.count)] + data
    }

    func plan(_ command: [UInt8], framing: Framing) -> FramePlan? {
        switch target {
        case .nfcA(let target) where target.isISODEP: apdu(command)
        case .nfcA(let target) where target.selRes & 0x08 != 0: classic(command) ?? nfcA(command)
        case .nfcA: type2(command) ?? nfcA(command)
        case .nfcB: apdu(command)
        case .nfcF: raw(command, by: dialect.nfcF, .nfcF)
        // The PN532 adds the UID to a Type 1 Tag's command and removes the address from the answer.
        case .jewel where framing == .handled && dialect.rawNFCA == .direct:
            .apdus([Self.direct([0xD4, 0x40, 0x01] + command)], .direct)
        case .jewel: nil
        case .nfcV(let target): nfcV(command, uid: target.uid)
        }
    }

    /// Plans an APDU, or returns nil for class FF, which belongs to the reader itself and never reaches a card.
    private func apdu(_ command: [UInt8]) -> FramePlan? {
        guard command.count >= 4, command[0] != 0xFF else { return nil }
        return .apdus([command], .apdu)
    }

    // MARK: NFC-A

    private static func direct(_ message: [UInt8]) -> [UInt8] {
        [0xFF, 0x00, 0x00, 0x00, UInt8(truncatingIfNeeded: message.count)] + message
    }

    private func raw(
        _ command: [UInt8], by route: ReaderDialect.RawRoute?, _ standard: TransparentSession.Standard
    ) -> FramePlan? {
        switch route {
        case .direct where command.count <= 0xFF - 2: .apdus([Self.direct([0xD4, 0x42] + command)], .direct)
        case .transparent where !hasNoSession: .frame(standard, isSlow: false)
        case .direct, .transparent, nil: nil
        }
    }

    private func nfcA(_ command: [UInt8]) -> FramePlan? { raw(command, by: dialect.rawNFCA, .nfcA) }

    /// Plans READ and WRITE for a Type 2 Tag, which every reader supports.
    ///
    /// In a session, they are sent as plain frames, because the end of the session may cost the tag its authentication
    /// and its selected sector.
    private func type2(_ command: [UInt8]) -> FramePlan? {
        if dialect.rawNFCA == .transparent, !hasNoSession { return nil }
        switch (command.first, command.count) {
        case (0x30, 2): return .apdus([Self.readBinary(UInt16(command[1]), 16)], .data(count: 16))
        case (0xA2, 6):
            return .apdus([Self.updateBinary(UInt16(command[1]), Array(command[2...]))], .acknowledgement)
        default: return nil
        }
    }

    /// Plans AUTHENTICATE, READ and WRITE for a MIFARE Classic.
    ///
    /// The UID is left out of AUTHENTICATE, because the reader adds it itself.
    private func classic(_ command: [UInt8]) -> FramePlan? {
        guard let place = dialect.classicKey else { return nil }
        switch (command.first, command.count) {
        case (0x60, 12), (0x61, 12):
            let load = [0xFF, 0x82, place.structure, place.number, 0x06] + command[2..<8]
            let authenticate: [UInt8] = [
                0xFF, 0x86, 0x00, 0x00, 0x05, 0x01, 0x00, command[1], command[0], place.number,
            ]
            return .apdus([load, authenticate], .acknowledgement)
        case (0x30, 2): return .apdus([Self.readBinary(UInt16(command[1]), 16)], .data(count: 16))
        case (0xA0, 18):
            return .apdus([Self.updateBinary(UInt16(command[1]), Array(command[2...]))], .acknowledgement)
        default: return nil
        }
    }
}
