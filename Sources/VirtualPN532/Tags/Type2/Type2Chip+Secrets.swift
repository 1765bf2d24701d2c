// Blocks of passwords and AES keys — NXP data sheets NTAG213_215_216 and MF0ULX1; MF0AES(H)20 and NTAG 223 DNA:
// zc-public/breakme-resources; NTAG 224 DNA: CRThu/nfctester

extension Type2Chip {
    /// The block of PWD, if the chip has a password.
    var passwordBlock: Int? {
        let first = settingsSecret == .password ? settingsBlock : configurationBlock
        return first.map { $0 + 2 }
    }

    /// The block of PACK, if the chip has a password.
    var packBlock: Int? { passwordBlock.map { $0 + 1 } }

    /// Returns the blocks of the AES key with this number.
    ///
    /// Nil if AUTHENTICATE does not accept the number.
    func aesKeyBlocks(number: UInt8) -> Range<Int>? {
        if let aesKeyBlock, number <= 1 {
            let first = aesKeyBlock + 4 * Int(number)
            return first..<first + 4
        }
        guard let settingsBlock, settingsSecret == .key, number == 0 else { return nil }
        return NTAG22xSettings.authenticationKeyBlocks(after: settingsBlock)
    }

    /// The blocks that READ shows as zeros.
    var hiddenBlocks: [Range<Int>] {
        let password = passwordBlock.map { $0..<$0 + 2 }
        let messageKey = settingsBlock.map { NTAG22xSettings.keyBlocks(after: $0) }
        return [password, messageKey, aesKeyBlocks(number: 0), aesKeyBlocks(number: 1)].compactMap { $0 }
    }
}
