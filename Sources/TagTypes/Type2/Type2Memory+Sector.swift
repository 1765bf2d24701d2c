// Sending SECTOR SELECT, and verifying the selected sector — NFC Forum T2T, SECTOR SELECT; NXP NT3H1x01 and NT3H2x11
import ReaderInterface

extension Type2Memory {
    /// The first packet of SECTOR SELECT.
    static let sectorSelect: [UInt8] = [0xC2, 0xFF]
    /// The timeout for the second packet, which a tag acknowledges by not answering for 1 ms.
    static let passiveAcknowledgement: Duration = .milliseconds(20)

    /// Selects the sector that contains a block.
    ///
    /// The tag acknowledges the first packet, `C2 FF`, with 4 bits. It acknowledges the second packet, which contains
    /// the sector and three bytes `00`, by not answering. Readers report both as a missing answer. The selection is
    /// therefore verified with block 0, which holds the UID only in sector 0.
    func select(sectorOf block: Int) throws(TagError) {
        let wanted = block / Self.sectorBlockCount
        guard wanted != sector else { return }
        // Each activation selects sector 0, so activate the tag again to leave another sector.
        if sector != 0 { try reselect() }
        guard wanted != 0 else { return }
        let identity = try self.block(0, limit: 2) + self.block(1, limit: 2)
        try sendUnacknowledged(Self.sectorSelect, timeout: .milliseconds(100))
        try sendUnacknowledged(
            [UInt8(truncatingIfNeeded: wanted), 0x00, 0x00, 0x00], timeout: Self.passiveAcknowledgement)
        let first = try exchange([0x30, 0x00], framing: .handled)
        // If block 0 still shows the UID, a packet was lost and sector 0 is still selected.
        guard first.count == 16, first.prefix(identity.count) != identity[...] else { throw .reader(.noAnswer) }
        sector = wanted
    }

    private func sendUnacknowledged(_ command: [UInt8], timeout: Duration) throws(TagError) {
        do throws(ReaderError) {
            _ = try channel.transceive(command, framing: .raw, timeout: timeout)
        } catch .noAnswer {
            // The reader may report a 4-bit ACK as a missing answer.
        } catch {
            throw .reader(error)
        }
    }
}
