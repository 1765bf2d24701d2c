// The content of a virtual tag, read directly and not by nfctool — NFC Forum T1T, T2T, T3T, T4T, T5T; NXP AN1305

import VirtualPCSC
import VirtualPN532

struct TagWitness {
    /// Everything that the tag keeps without power, or its count of changes.
    ///
    /// It is equal as long as nothing was changed.
    let fingerprint: String
    /// The NDEF message, or nil if there is no place for one.
    let message: [UInt8]?
    /// Whether the tag reports that its message may not be written.
    let isReadOnly: Bool
    /// Pages, blocks or sectors one after the other.
    ///
    /// Empty for tags with files.
    let memory: [UInt8]

    init(_ tag: any VirtualTag) {
        let fingerprint = (tag as? any PersistentTag)?.flipperText ?? "\(tag.generation)"
        switch tag {
        case let tag as VirtualType2Tag: self.init(fingerprint, tag.contents, container: 12, start: 16)
        case let tag as VirtualTopazTag: self.init(fingerprint, tag.contents, container: 8, start: 12)
        case let tag as VirtualISO15693Tag: self.init(fingerprint, vicinity: tag.contents)
        case let tag as VirtualType3Tag: self.init(fingerprint, attributes: tag.contents)
        case let tag as VirtualFeliCaLiteSTag: self.init(fingerprint, attributes: (0..<14).flatMap { tag[$0] })
        case let tag as VirtualFeliCaStandardTag:
            let ndef = tag.systems.first { $0.code == 0x12FC }
            self.init(fingerprint, attributes: ndef?[service: 0x000B].flatMap { $0 } ?? [])
        case let tag as VirtualClassicTag: self.init(fingerprint, sectors: tag.contents)
        case let tag as VirtualType4Tag:
            let configuration = tag.configuration
            self.init(
                fingerprint, file: tag.ndefFile, lengthField: configuration.mappingVersion == .version2 ? 2 : 4,
                isReadOnly: configuration.writeAccess != 0)
        case let tag as VirtualType4BTag: self.init(fingerprint, file: tag.ndefFile, lengthField: 2, isReadOnly: false)
        case let tag as VirtualDESFireTag:
            // The write access of the NDEF File Control TLV is the last byte of the container.
            let access = tag.file([0xE1, 0x03]).map { $0.dropFirst(14).first ?? 0 } ?? 0
            self.init(fingerprint, file: tag.file([0xE1, 0x04]) ?? [], lengthField: 2, isReadOnly: access == 0xFF)
        case let tag as VirtualNTAG424Tag:
            let access = tag.file([0xE1, 0x03]).map { $0.dropFirst(14).first ?? 0 } ?? 0
            self.init(fingerprint, file: tag.file([0xE1, 0x04]) ?? [], lengthField: 2, isReadOnly: access == 0xFF)
        default: self.init(fingerprint, nil, false, [])
        }
    }

    private init(_ fingerprint: String, _ message: [UInt8]?, _ isReadOnly: Bool, _ memory: [UInt8]) {
        (self.fingerprint, self.message, self.isReadOnly, self.memory) = (fingerprint, message, isReadOnly, memory)
    }

    /// Types 1 and 2: the container has `E1`, version, size and access.
    private init(_ fingerprint: String, _ memory: [UInt8], container: Int, start: Int) {
        let isFormatted = memory[container] == 0xE1
        self.init(
            fingerprint, isFormatted ? Self.message(memory.dropFirst(start)) : nil,
            isFormatted && memory[container + 3] & 0x0F == 0x0F, memory)
    }

    /// Type 5: the container has `E1` or `E2`, version and access, size and features.
    ///
    /// It has 8 bytes if the size is 0.
    private init(_ fingerprint: String, vicinity memory: [UInt8]) {
        let isFormatted = 0xE1...0xE2 ~= memory[0]
        self.init(
            fingerprint, isFormatted ? Self.message(memory.dropFirst(memory[2] == 0 ? 8 : 4)) : nil,
            isFormatted && memory[1] & 0x03 == 0x03, memory)
    }

    /// Type 3: the attribute block ends with its sum.
    ///
    /// Ln is in bytes 11 to 13, and RWFlag in byte 10.
    private init(_ fingerprint: String, attributes memory: [UInt8]) {
        let block = memory.prefix(16)
        let sum = block.prefix(14).reduce(0) { $0 + Int($1) }
        guard block.count == 16, block[0] != 0, sum == Int(block[14]) << 8 | Int(block[15]) else {
            self.init(fingerprint, nil, false, memory)
            return
        }
        let length = Int(block[11]) << 16 | Int(block[12]) << 8 | Int(block[13])
        self.init(fingerprint, Array(memory.dropFirst(16).prefix(length)), block[10] == 0, memory)
    }

    /// MIFARE Classic: the data blocks of the sectors after the directory, in which key A opens NFC sectors.
    ///
    /// Data blocks with the access bits C1 C2 C3 = 000 can be written.
    private init(_ fingerprint: String, sectors memory: [UInt8]) {
        // The AID 03E1 in the directory of sector 0, low byte first.
        guard memory[18] == 0x03, memory[19] == 0xE1 else {
            self.init(fingerprint, nil, false, memory)
            return
        }
        let first = memory[64..<(64 + 48)]
        let rest = (2..<16).flatMap { memory[($0 * 64)..<($0 * 64 + 48)] }
        // Bytes 7 and 8 of the trailer: C1, C2, C3 of the blocks 0 to 2.
        let trailer = memory[(64 + 48)..<(64 + 64)].map { $0 }
        let isReadOnly = trailer[7] & 0x70 != 0 || trailer[8] & 0x77 != 0
        self.init(fingerprint, Self.message((Array(first) + rest)[...]), isReadOnly, memory)
    }

    private init(_ fingerprint: String, file: [UInt8], lengthField: Int, isReadOnly: Bool) {
        let length = file.prefix(lengthField).reduce(0) { $0 << 8 | Int($1) }
        let message = file.count < lengthField ? nil : Array(file.dropFirst(lengthField).prefix(length))
        self.init(fingerprint, message, isReadOnly, [])
    }

    /// Returns the value of the first TLV 03.
    ///
    /// NULL TLVs have one byte, and other TLVs are skipped.
    private static func message(_ area: ArraySlice<UInt8>) -> [UInt8]? {
        var rest = area
        while let tag = rest.popFirst() {
            guard tag != 0x00 else { continue }
            guard tag != 0xFE, var length = rest.popFirst().map({ Int($0) }) else { return nil }
            if length == 0xFF {
                length = rest.prefix(2).reduce(0) { $0 << 8 | Int($1) }
                rest = rest.dropFirst(2)
            }
            guard tag != 0x03 else { return Array(rest.prefix(length)) }
            rest = rest.dropFirst(length)
        }
        return nil
    }
}
