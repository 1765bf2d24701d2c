// SECTOR SELECT, and a proof that it worked — NFC Forum T2T, SECTOR SELECT; NXP NT3H1x01 and NT3H2x11
import ReaderInterface

extension Type2Memory {
    private static let sectorSelectCommand: UInt8 = 0xC2
    /// A tag acknowledges the second packet by silence for 1 ms, so that a longer wait brings nothing.
    private static let passiveAcknowledgement: Duration = .milliseconds(20)

    /// Selects the sector that a block is in.
    ///
    /// The first packet, `C2 FF`, is acknowledged by four bits and the second, sector and three bytes `00`, by silence:
    /// readers report both as no answer. So the proof is block 0, which holds the UID in sector 0 and nowhere else.
    func select(sectorOf block: Int) throws(TagError) {
        let wanted = block / Self.sectorBlockCount
        guard wanted != sector else { return }
        // Sector 0 is where an activation leads, without a doubt.
        if sector != 0 { try reselect() }
        guard wanted != 0 else { return }
        let identity = try self.block(0, limit: 2) + self.block(1, limit: 2)
        try sendUnacknowledged([Self.sectorSelectCommand, 0xFF], timeout: .milliseconds(100))
        try sendUnacknowledged(
            [UInt8(truncatingIfNeeded: wanted), 0x00, 0x00, 0x00], timeout: Self.passiveAcknowledgement)
        let first = try exchange([0x30, 0x00], framing: .handled)
        // The first sector still, because a packet was lost.
        guard first.count == 16, first.prefix(identity.count) != identity[...] else { throw .reader(.noAnswer) }
        sector = wanted
    }

    private func sendUnacknowledged(_ command: [UInt8], timeout: Duration) throws(TagError) {
        do throws(ReaderError) {
            _ = try channel.transceive(command, framing: .raw, timeout: timeout)
        } catch .noAnswer {
            // Four bits of ACK, or silence.
        } catch {
            throw .reader(error)
        }
    }
}
