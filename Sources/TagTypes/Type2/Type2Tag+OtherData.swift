// Replacing Type 2 data that does not consist of TLVs, for example after restoring another program's dump

extension Type2Tag {
    /// Whether the data area holds bytes that are not a message but may be replaced; see ``replaceOtherData()``.
    ///
    /// - Throws: what ``detect()`` throws, except ``TagError/protocolViolation(field:found:expected:offset:)`` for
    ///   bytes that can be replaced.
    package func holdsOtherData() throws(TagError) -> Bool {
        do throws(TagError) {
            guard case .occupied = try detectedArea() else { return false }
        } catch {
            guard case .protocolViolation = error else { throw error }
        }
        return try emptyArea() != nil
    }

    /// Allows plans for this tag to replace bytes that are not a message, as if the data area held an empty message.
    ///
    /// The function does not affect a tag with a message, or an unknown chip, whose lock bits may lie between those
    /// bytes. A plan contains the bytes that it replaces, so that it can also be carried out backward.
    package func replaceOtherData() {
        guard !replacesOtherData else { return }
        replacesOtherData = true
        forgetArea()
    }

    /// Returns the data area, with an empty message in place of bytes that are not a message.
    func replaceableArea() throws(TagError) -> Area {
        let found: Area
        do throws(TagError) {
            found = try detectArea()
        } catch {
            guard case .protocolViolation = error, let area = try emptyArea() else { throw error }
            return area
        }
        guard case .occupied = found else { return found }
        return try emptyArea() ?? found
    }

    /// Returns the data area as if it held an empty message and nothing else.
    ///
    /// Returns `nil` if the place of that message is not known.
    private func emptyArea() throws(TagError) -> Area? {
        guard let chip = memory.chip, let container = try self.container(), container.readRefusal == nil,
            container.dataAreaSize > 0
        else { return nil }
        let area = Self.dataStart..<max(Self.dataStart, dataEnd(container))
        let delivered = try layout(of: area, holding: chip.deliveredTLVs)
        guard !delivered.reserved.contains(where: { $0.overlaps(area) }) else { return nil }
        let empty = try layout(of: area, holding: TLVLayout.emptyMessage)
        guard let ndef = empty.ndef else { return nil }
        try loadProtection(empty, ndef)
        return .present(container, empty, ndef)
    }

    /// Returns the layout of a data area with these TLVs at its start, followed by zeros.
    private func layout(of area: Range<Int>, holding tlvs: [UInt8]) throws(TagError) -> TLVLayout {
        let memoryEnd = max(memory.blockCount, Type2Memory.sectorBlockCount) * Self.blockSize
        return try TLVLayout(area: area, memoryEnd: memoryEnd, unit: Self.blockSize) { (address) throws(TagError) in
            let index = address - area.lowerBound
            return tlvs.indices.contains(index) ? tlvs[index] : 0
        }
    }
}
