// `FF B0` and `FF D6`: blocks of storage cards — PC/SC part 3, 3.2.2.1.8 and 3.2.2.1.9

import VirtualPN532

extension ReaderFirmware {
    private enum Result {
        case success([UInt8])
        case failure(StatusWord)
    }

    /// Executes `FF B0 P1 P2 Le`.
    ///
    /// For FeliCa, the command is `FF B0 00 00 Lc services blocks`.
    func readBinary(_ command: PseudoAPDU, _ card: any VirtualTag) -> [UInt8] {
        switch card {
        case let tag as VirtualISO15693Tag:
            guard let block = block(command) else { return StatusWord.wrongParameters.bytes }
            return read(from: block, size: tag.chip.blockSize, step: 1, command) { self.read($0, of: tag) }
        case let tag as any TypeATag where tag.selRes & 0x20 == 0:
            let isClassic = tag.selRes & 0x08 != 0
            return read(from: Int(command.p1) << 8 | Int(command.p2), size: 16, step: isClassic ? 1 : 4, command) {
                // Each READ returns 16 bytes, which are four blocks of a Type 2 Tag.
                guard let number = UInt8(exactly: $0) else { return .failure(.noSuchBlock) }
                guard let data = self.proximity.exchange([0x30, number], with: card), data.count == 16 else {
                    return .failure(.failed)
                }
                return .success(data)
            }
        case is any FeliCaTag: return readFeliCa(command, card)
        default: return StatusWord.functionNotSupported.bytes
        }
    }

    /// Reads until there are as many bytes as requested.
    ///
    /// Without Le, returns all bytes of the first read.
    private func read(
        from block: Int, size: Int, step: Int, _ command: PseudoAPDU, _ body: (Int) -> Result
    ) -> [UInt8] {
        var data: [UInt8] = []
        var next = block
        repeat {
            switch body(next) {
            case .success(let bytes): data += bytes
            case .failure(let word): return data.isEmpty ? word.bytes : data + StatusWord.endOfData.bytes
            }
            next += step
        } while data.count < command.wanted ?? 0
        return data.prefix(command.wanted ?? data.count) + StatusWord.success.bytes
    }

    /// Executes `FF D6 P1 P2 Lc data`, which writes one block.
    func updateBinary(_ command: PseudoAPDU, _ card: any VirtualTag) -> [UInt8] {
        if let tag = card as? VirtualISO15693Tag { return update(command, tag) }
        guard let tag = card as? any TypeATag, tag.selRes & 0x20 == 0 else {
            return StatusWord.functionNotSupported.bytes
        }
        let isClassic = tag.selRes & 0x08 != 0
        guard command.data.count == (isClassic ? 16 : 4) else { return StatusWord.wrongLength.bytes }
        guard command.p1 == 0 else { return StatusWord.noSuchBlock.bytes }
        let answer = proximity.exchange([isClassic ? 0xA0 : 0xA2, command.p2] + command.data, with: card)
        return (answer == [] ? StatusWord.success : .failed).bytes
    }

    // MARK: ISO 15693

    private func update(_ command: PseudoAPDU, _ tag: VirtualISO15693Tag) -> [UInt8] {
        guard let block = block(command) else { return StatusWord.wrongParameters.bytes }
        guard command.data.count == tag.chip.blockSize else { return StatusWord.wrongLength.bytes }
        guard let number = UInt8(exactly: block) else { return StatusWord.noSuchBlock.bytes }
        let request = [0x22, 0x21] + tag.uid.reversed() + [number] + command.data
        switch vicinity.exchange(request, wait: model.commandTime, sendsEOF: model.sendsWriteEOF) {
        case .frame([0x00]): return StatusWord.success.bytes
        case .frame(let answer): return Self.word(ofError: answer).bytes
        case .silence, .collision: return StatusWord.failed.bytes
        }
    }

    private func block(_ command: PseudoAPDU) -> Int? {
        switch model.blockAddress {
        case .p1p2: Int(command.p1) << 8 | Int(command.p2)
        case .p1: command.p2 == 0 ? Int(command.p1) : nil
        }
    }

    private func read(_ block: Int, of tag: VirtualISO15693Tag) -> Result {
        guard let number = UInt8(exactly: block) else { return .failure(.noSuchBlock) }
        switch vicinity.exchange([0x22, 0x20] + tag.uid.reversed() + [number], wait: model.commandTime) {
        case .frame(let answer) where answer.first == 0x00: return .success(Array(answer.dropFirst()))
        case .frame(let answer): return .failure(Self.word(ofError: answer))
        case .silence, .collision: return .failure(.failed)
        }
    }

    /// Returns the PC/SC status word for an error that the tag reports.
    private static func word(ofError answer: [UInt8]) -> StatusWord {
        switch answer.dropFirst().first {
        case 0x10: .noSuchBlock
        case 0x11, 0x12: .notAllowed
        case 0x0F, 0x15: .securityStatusNotSatisfied
        default: .memoryFailure
        }
    }

    // MARK: FeliCa

    /// Executes Read Without Encryption with the card's IDm.
    ///
    /// The command's data contains the number of services, the service codes, the number of blocks and the block list.
    private func readFeliCa(_ command: PseudoAPDU, _ card: any VirtualTag) -> [UInt8] {
        guard !command.data.isEmpty else { return StatusWord.wrongLength.bytes }
        let frame = [0x06] + card.identifier + command.data
        guard let length = UInt8(exactly: frame.count + 1),
            let answer = proximity.exchange([length] + frame, with: card), answer.count > 12,
            answer[10] == 0
        else { return StatusWord.failed.bytes }
        // Skip length, code, IDm, two status flags and the number of blocks.
        return answer.dropFirst(13) + StatusWord.success.bytes
    }
}
