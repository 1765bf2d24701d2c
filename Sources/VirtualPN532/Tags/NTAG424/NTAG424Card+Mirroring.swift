// Secure Dynamic Messaging of an NTAG 424 DNA — NXP NT4H2421Gx, 9.3

extension NTAG424Card {
    /// The bits of PICCDataTag: 7 for the UID and 6 for SDMReadCtr.
    private enum DataTag {
        static let uid: UInt8 = 0x80
        static let readCounter: UInt8 = 0x40
    }

    private static let blockSize = 16

    /// Returns the content of a file with the mirrored data, for a reader without authentication.
    ///
    /// The first command of a series increments the counter (9.3.1).
    /// - Throws: `permissionDenied` at SDMReadCtrLimit, `integrityError` if SDMReadCtr is at its maximum.
    mutating func dynamicContent(
        of index: Int, _ command: ReadSeries.Command
    ) throws(NTAG424Status) -> [UInt8] {
        guard let sdm = memory.files[index].sdm else { return memory.files[index].content }
        time = Self.cipherTime
        if series?.command != command || series?.file != index {
            if sdm.hasReadCounter { try countRead(index, sdm) }
            series = ReadSeries(command: command, file: index, padding: padding(sdm))
        }
        return mirrored(memory.files[index], sdm)
    }

    private mutating func countRead(_ index: Int, _ sdm: NTAG424SDM) throws(NTAG424Status) {
        let counter = memory.files[index].readCounter
        if let limit = sdm.limit, counter >= limit { throw .permissionDenied }
        guard counter < NTAG424SDM.largestCounter else { throw .integrityError }
        commit { $0.files[index].readCounter += 1 }
    }

    private func padding(_ sdm: NTAG424SDM) -> [UInt8] {
        guard sdm.metaReadKey != nil else { return [] }
        return randomBytes(Self.blockSize - 1 - (sdm.hasUID ? memory.uid.count : 0) - (sdm.hasReadCounter ? 3 : 0))
    }

    private func mirrored(_ file: NTAG424File, _ sdm: NTAG424SDM) -> [UInt8] {
        var result = file.content
        func put(_ text: [UInt8], _ offset: Int) {
            result.replaceSubrange(offset..<offset + text.count, with: text)
        }
        let counter = NTAG424Memory.bytes(of: file.readCounter)
        if let offset = sdm.uidOffset { put(Self.ascii(memory.uid), offset) }
        if let offset = sdm.counterOffset { put(Self.ascii(counter.reversed()), offset) }
        if let number = sdm.metaReadKey, let offset = sdm.piccDataOffset {
            put(Self.ascii(piccData(sdm, counter, memory.keys[number].cipher)), offset)
        }
        guard let number = sdm.fileReadKey, let macInput = sdm.macInputOffset, let macOffset = sdm.macOffset else {
            return result
        }
        let key = memory.keys[number].cipher
        if let offset = sdm.encryptedOffset, let length = sdm.encryptedLength {
            let plain = Array(file.content[offset..<offset + length / 2])
            put(Self.ascii(encipheredData(plain, counter, key)), offset)
        }
        // 9.3.9.1: SV2 contains the mirrored data, padded with zeros to a whole block.
        var vector: [UInt8] = [0x3C, 0xC3, 0x00, 0x01, 0x00, 0x80]
        if sdm.mirrorsUID { vector += memory.uid }
        if sdm.mirrorsCounter { vector += counter }
        vector += [UInt8](repeating: 0, count: Self.blockSize - vector.count)
        let session = BlockCipher(algorithm: .aes, key: key.authenticationCode(vector))
        put(Self.ascii(session.truncatedCode(Array(result[macInput..<macOffset]))), macOffset)
        return result
    }

    /// Returns an encrypted block with PICCDataTag, UID, SDMReadCtr and random padding (9.3.4.1).
    private func piccData(_ sdm: NTAG424SDM, _ counter: [UInt8], _ key: BlockCipher) -> [UInt8] {
        var plain: [UInt8] = [0x00]
        if sdm.hasUID {
            plain[0] |= DataTag.uid | UInt8(memory.uid.count)
            plain += memory.uid
        }
        if sdm.hasReadCounter {
            plain[0] |= DataTag.readCounter
            plain += counter
        }
        var vector = key.zeroVector
        return key.encryptCBC(plain + (series?.padding ?? []), vector: &vector)
    }

    /// Returns the data encrypted with SesSDMFileReadENCKey.
    ///
    /// The initialisation vector is derived from SDMReadCtr (9.3.6.1).
    private func encipheredData(_ plain: [UInt8], _ counter: [UInt8], _ key: BlockCipher) -> [UInt8] {
        let vector = [0xC3, 0x3C, 0x00, 0x01, 0x00, 0x80] + memory.uid + counter
        let session = BlockCipher(algorithm: .aes, key: key.authenticationCode(vector))
        var zero = session.zeroVector
        var first = session.encryptCBC(
            counter + [UInt8](repeating: 0, count: Self.blockSize - counter.count), vector: &zero)
        return session.encryptCBC(plain, vector: &first)
    }

    /// Encodes bytes as upper-case hexadecimal digits (9.3.3, EncodeASCII).
    private static func ascii(_ bytes: some Sequence<UInt8>) -> [UInt8] {
        let digits = Array("0123456789ABCDEF".utf8)
        return bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 0xF)]] }
    }
}
