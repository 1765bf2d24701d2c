// Frames for a host with its own protocol, which uses the chip only as the front end of another reader

extension PN532 {
    /// Sends a frame with its checksum to the selected target and receives an answer.
    ///
    /// After an authentication, the frame is enciphered.
    ///
    /// - Returns: whole bytes without the checksum, or a 4-bit ACK or NAK. The result is nil if there is no answer or
    ///   an invalid one.
    package func exchangeFrame(_ bytes: [UInt8]) -> (bytes: [UInt8], lastBits: Int)? {
        guard let modulation = registers.modulation, !bytes.isEmpty else { return nil }
        let frame =
            modulation == .typeA106 && selected != nil
            ? typeAFrame(bytes, to: selected ?? 1) : AirFrame.withCRC(bytes, modulation)
        guard case .frame(let answer) = radio.exchange(frame, timeout: retryTimeout) else { return nil }
        if answer.lastBits != 0 { return (answer.bytes, answer.lastBits) }
        return answer.data.map { ($0, 0) }
    }
}
