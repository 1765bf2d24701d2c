// Blocks with passwords and AES keys — NXP data sheets NTAG213_215_216 and MF0ULX1; MF0AES(H)20 and NTAG 223 DNA:
// zc-public/breakme-resources; NTAG 224 DNA: CRThu/nfctester

extension Type2Chip {
    /// The number of the block that contains PWD; nil if the chip has no password.
    var passwordBlock: Int? {
        let first = settingsSecret == .password ? settingsBlock : configurationBlock
        return first.map { $0 + 2 }
    }

    /// The number of the block that contains PACK; nil if the chip has no password.
    var packBlock: Int? { passwordBlock.map { $0 + 1 } }

    /// Returns the numbers of the blocks that contain an AES key, or nil if AUTHENTICATE does not accept the key
    /// number.
    func aesKeyBlocks(number: UInt8) -> Range<Int>? {
        if let aesKeyBlock, number <= 1 {
            let first = aesKeyBlock + 4 * Int(number)
            return first..<first + 4
        }
        guard let settingsBlock, settingsSecret == .key, number == 0 else { return nil }
        return NTAG22xSettings.authenticationKeyBlocks(after: settingsBlock)
    }

    /// The numbers of the blocks that READ returns as zeros.
    var hiddenBlocks: [Range<Int>] {
        let password = passwordBlock.map { $0..<$0 + 2 }
        let messageKey = settingsBlock.map { NTAG22xSettings.keyBlocks(after: $0) }
        return [password, messageKey, aesKeyBlocks(number: 0), aesKeyBlocks(number: 1)].compactMap { $0 }
    }
}
