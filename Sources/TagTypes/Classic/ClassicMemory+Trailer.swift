// Reading sector trailers, and replacing them in steps — NXP MF1S50yyX, Memory Organization: Sector Trailer
import Hexadecimal

extension ClassicMemory {
    /// Reads the trailer of a sector, in which keys that cannot be read are zeros.
    func trailer(of sector: Int) throws(TagError) -> ClassicTrailer {
        let block = layout.trailer(of: sector)
        let bytes = try self.block(block)
        guard let trailer = ClassicTrailer(bytes) else {
            throw .protocolViolation(
                field: "access bits of sector \(sector)", found: bytes[6..<9].spacedHex,
                expected: "bits that match their complement", offset: block * ClassicLayout.blockSize + 6)
        }
        return trailer
    }

    /// Replaces a trailer in steps, so that the sector can still be opened if a step is torn.
    ///
    /// A torn WRITE leaves a mixture of old and new bytes. Therefore, no key is changed together with the access bits,
    /// or while it is the only key that opens the sector. A sector whose key B can be read as data is an exception: its
    /// key A must be changed, and after a torn WRITE it is one of ``ClassicKey/mixtures(of:and:)``. Torn access bits
    /// cannot be repaired, because the chip blocks a sector whose access bits contradict their complement.
    ///
    /// - Parameters:
    ///   - new: the new trailer.
    ///   - sector: the sector of the trailer, counted from 0.
    ///   - key: a key that may write the whole present trailer.
    /// - Throws: the errors of ``write(_:of:with:)``.
    func replace(_ new: ClassicTrailer, of sector: Int, with key: ClassicKey) throws(TagError) {
        let old = try trailer(of: sector)
        let knowsKeyA = proven[sector]?.contains(ClassicKey(kind: .a, bytes: new.keyA)) ?? false
        // Use an empty value for an unknown key, so that it differs from the new key.
        let present = ClassicTrailer(
            keyA: key.kind == .a ? key.bytes : knowsKeyA ? new.keyA : [], access: old.access,
            generalPurpose: old.generalPurpose,
            keyB: key.kind == .b ? key.bytes : old.access.trailer.isKeyBReadable ? old.keyB : [])
        for step in new.steps(from: present, with: key) { try write(step.trailer, of: sector, with: step.key) }
    }
}

extension ClassicTrailer {
    /// Returns the trailers to write in order, ending with this one, each with the key that may write it.
    ///
    /// The first to change is the key that may not write the present trailer. The access bits follow, and the key with
    /// which these are written comes last. If no key may write the new trailer, both keys are changed before the access
    /// bits.
    func steps(
        from present: ClassicTrailer, with writer: ClassicKey
    ) -> [(trailer: ClassicTrailer, key: ClassicKey)] {
        let next = [ClassicKeyKind.a, .b].first { access.trailer.isWritable(with: $0) }
        let otherKey = present.replacing(keyA: writer.kind == .b ? keyA : nil, keyB: writer.kind == .a ? keyB : nil)
        let middle: ClassicTrailer
        let last: ClassicKey
        if let next {
            middle = ClassicTrailer(
                keyA: otherKey.keyA, access: access, generalPurpose: generalPurpose, keyB: otherKey.keyB)
            last = next == writer.kind ? writer : ClassicKey(kind: next, bytes: next == .a ? keyA : keyB)
        } else {
            middle = otherKey.replacing(keyA: keyA, keyB: keyB)
            last = ClassicKey(kind: writer.kind, bytes: writer.kind == .a ? keyA : keyB)
        }
        var steps: [(trailer: ClassicTrailer, key: ClassicKey)] = []
        for (trailer, key) in [(otherKey, writer), (middle, writer), (self, last)] {
            if trailer != steps.last?.trailer ?? present { steps.append((trailer: trailer, key: key)) }
        }
        return steps
    }

    /// Returns this trailer with other keys, where `nil` keeps the present key.
    private func replacing(keyA: [UInt8]?, keyB: [UInt8]?) -> ClassicTrailer {
        ClassicTrailer(
            keyA: keyA ?? self.keyA, access: access, generalPurpose: generalPurpose, keyB: keyB ?? self.keyB)
    }
}
