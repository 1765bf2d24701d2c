// `FF B0` and `FF D6`: blocks of storage cards — PC/SC part 3, 3.2.2.1.8 and 3.2.2.1.9

import VirtualPN532

extension ReaderFirmware {
    /// `FF B0 P1 P2 Le`.
    func readBinary(_ command: PseudoAPDU, _ card: any VirtualTag) -> [UInt8] {
        guard let tag = card as? VirtualISO15693Tag else { return StatusWord.functionNotSupported.bytes }
        guard let block = block(command) else { return StatusWord.wrongParameters.bytes }
        let size = tag.chip.blockSize
        let count = max(1, (command.wanted ?? size) / size)
        guard command.wanted ?? size == count * size else { return StatusWord.wrongLength.bytes }
        var data: [UInt8] = []
        for number in block..<(block + count) {
            switch read(number, of: tag) {
            case .success(let bytes): data += bytes
            case .failure(let word): return data.isEmpty ? word.bytes : data + StatusWord.endOfData.bytes
            }
        }
        return data + StatusWord.success.bytes
    }

    /// `FF D6 P1 P2 Lc data`: one block.
    func updateBinary(_ command: PseudoAPDU, _ card: any VirtualTag) -> [UInt8] {
        guard let tag = card as? VirtualISO15693Tag else { return StatusWord.functionNotSupported.bytes }
        guard let block = block(command) else { return StatusWord.wrongParameters.bytes }
        guard command.data.count == tag.chip.blockSize else { return StatusWord.wrongLength.bytes }
        let number = UInt8(truncatingIfNeeded: block)
        guard block == Int(number) else { return StatusWord.noSuchBlock.bytes }
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

    private enum Outcome {
        case success([UInt8])
        case failure(StatusWord)
    }

    private func read(_ block: Int, of tag: VirtualISO15693Tag) -> Outcome {
        let number = UInt8(truncatingIfNeeded: block)
        guard block == Int(number) else { return .failure(.noSuchBlock) }
        switch vicinity.exchange([0x22, 0x20] + tag.uid.reversed() + [number], wait: model.commandTime) {
        case .frame(let answer) where answer.first == 0x00: return .success(Array(answer.dropFirst()))
        case .frame(let answer): return .failure(Self.word(ofError: answer))
        case .silence, .collision: return .failure(.failed)
        }
    }

    /// What the tag's error is in PC/SC's words.
    static func word(ofError answer: [UInt8]) -> StatusWord {
        switch answer.dropFirst().first {
        case 0x10: .noSuchBlock
        case 0x11, 0x12: .notAllowed
        case 0x0F, 0x15: .securityStatusNotSatisfied
        default: .memoryFailure
        }
    }
}
