// MIFARE commands that the firmware implements — NXP UM0701-02, InDataExchange, "MIFARE cards"

extension PN532 {
    private enum MIFARE {
        static let authenticateA: UInt8 = 0x60
        static let authenticateB: UInt8 = 0x61
        static let write: UInt8 = 0xA0
        static let transfer: UInt8 = 0xB0
        static let decrement: UInt8 = 0xC0
        static let increment: UInt8 = 0xC1
        static let restore: UInt8 = 0xC2
        static let acknowledge: UInt8 = 0x0A
        static let keySize = 6
        static let blockSize = 16
        static let operandSize = 4
    }

    /// Executes one command for a type A target without ISO-DEP.
    ///
    /// The host sends each command as a whole, including commands that the tag expects in two frames.
    func mifare(_ command: [UInt8], of number: UInt8) throws(ChipStatus) -> [UInt8] {
        let (head, body) = (Array(command.prefix(2)), Array(command.dropFirst(2)))
        switch command.first {
        case MIFARE.authenticateA, MIFARE.authenticateB:
            try authenticate(head, body, of: number)
            return []
        case MIFARE.write:
            guard body.count == MIFARE.blockSize else { throw .invalidParameter }
            guard try exchange(head, with: number).isEmpty else { throw .dataFormat }
            return try exchange(body, with: number)
        case MIFARE.decrement, MIFARE.increment, MIFARE.restore:
            // The operand of RESTORE has no meaning, and some hosts omit it.
            guard command.count == 2 || body.count == MIFARE.operandSize else { throw .invalidParameter }
            guard try exchange(head, with: number).isEmpty else { throw .dataFormat }
            let operand = body.isEmpty ? [UInt8](repeating: 0, count: MIFARE.operandSize) : body
            return try exchange(operand: operand, with: number)
        case MIFARE.transfer:
            return try exchange(head, with: number)
        default:
            return try exchange(command, with: number)
        }
    }

    /// Performs the three-pass authentication.
    ///
    /// The command is `60|61 block`. The body contains the key, followed by the UID that the host sent.
    private func authenticate(_ head: [UInt8], _ body: [UInt8], of number: UInt8) throws(ChipStatus) {
        let request = typeAFrame(head, to: number)
        slots[number]?.isCiphered = false
        // Send the command before checking the body: the command disturbs even a tag that does not support it.
        guard case .frame(let challenge) = radio.exchange(request, timeout: retryTimeout), challenge.lastBits == 0,
            challenge.bytes.count == CRYPTO1.nonceSize, body.count >= MIFARE.keySize + 4
        else { throw .authenticationError }
        let (key, uid) = (Array(body.prefix(MIFARE.keySize)), Array(body.dropFirst(MIFARE.keySize).prefix(4)))
        let proof = AirFrame(
            bytes: CRYPTO1.readerAnswer(key: key, uid: uid, nonce: challenge.bytes), isCiphered: true)
        let expected = CRYPTO1.tagAnswer(key: key, uid: uid, nonce: challenge.bytes)
        guard radio.exchange(proof, timeout: retryTimeout, isCommand: false) == .frame(AirFrame(bytes: expected)) else {
            throw .authenticationError
        }
        slots[number]?.isCiphered = true
    }

    /// Creates a frame with CRC_A, enciphered if the target has been authenticated.
    func typeAFrame(_ bytes: [UInt8], to number: UInt8) -> AirFrame {
        var frame = AirFrame.withCRC(bytes)
        frame.isCiphered = slots[number]?.isCiphered ?? false
        return frame
    }

    /// Sends a frame with CRC_A, and returns the answer.
    ///
    /// An ACK gives an empty array.
    private func exchange(_ bytes: [UInt8], with number: UInt8) throws(ChipStatus) -> [UInt8] {
        let answer = try exchange(typeAFrame(bytes, to: number))
        guard answer.lastBits == 4 else { return try Self.checked(answer.data) }
        guard answer.bytes == [MIFARE.acknowledge] else { throw .dataFormat }
        return []
    }

    /// Sends the second frame of DECREMENT, INCREMENT or RESTORE.
    ///
    /// The tag accepts this frame without an answer.
    private func exchange(operand: [UInt8], with number: UInt8) throws(ChipStatus) -> [UInt8] {
        do throws(ChipStatus) {
            return try exchange(operand, with: number)
        } catch {
            guard error == .timeout else { throw error }
            return []
        }
    }
}
