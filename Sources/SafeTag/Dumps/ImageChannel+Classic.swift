// Answers for dumps of MIFARE Classic and Type 3 Tags — MF1S50yyX, AUTHENTICATE, READ; NFC Forum T3T, Polling, CHECK

import ReaderInterface
import TagImage

extension ImageChannel {
    /// Answers AUTHENTICATE and READ.
    ///
    /// If the dump has a sector but neither of its keys, any key A opens the sector.
    func answerOfClassic(_ command: [UInt8]) throws(ReaderError) -> [UInt8]? {
        switch (command[0], command.count) {
        case (0x60, 12), (0x61, 12):
            let sector = TagImage.Kind.classicSector(of: Int(command[1]))
            guard opens(sector, isA: command[0] == 0x60, Array(command[2..<8])) else {
                openSector = nil
                return nil
            }
            openSector = sector
            return []
        case (0x30, 2):
            let block = Int(command[1])
            guard openSector == TagImage.Kind.classicSector(of: block) else { return nil }
            try require(block)
            guard var bytes = bytes(block) else { return nil }
            if TagImage.Kind.isClassicTrailer(block) {
                // The chip never returns keys, so return zeros in their place.
                for index in Array(0..<6) + Array(10..<16) { bytes[index] = 0 }
            }
            return bytes
        default: return nil
        }
    }

    private func opens(_ sector: Int, isA: Bool, _ key: [UInt8]) -> Bool {
        let known = image.keys[sector]
        if let own = isA ? known?.a : known?.b { return own == key }
        guard known?.a == nil, known?.b == nil, isA else { return false }
        return image.blocks.contains { $0.bytes != nil && TagImage.Kind.classicSector(of: $0.number) == sector }
    }

    func answerOfType3(_ command: [UInt8]) throws(ReaderError) -> [UInt8]? {
        guard command.count >= 2, Int(command[0]) == command.count else { return nil }
        switch command[1] {
        case 0x00: return answerToPolling(command)
        case 0x06: return try answerToCheck(command)
        default: return nil
        }
    }

    private func answerToPolling(_ command: [UInt8]) -> [UInt8]? {
        guard command.count == 6, case .nfcF(let target) = target, target.nfcID2.count == 8,
            zip(command[2..<4], target.systemCode).allSatisfy({ $0 == $1 || $0 == 0xFF })
        else { return nil }
        let parameter = target.pad.count == 8 ? target.pad : [UInt8](repeating: 0xFF, count: 8)
        let answer = [0x01] + target.nfcID2 + parameter + (command[4] == 0x01 ? target.systemCode : [])
        return [UInt8(truncatingIfNeeded: answer.count + 1)] + answer
    }

    private func answerToCheck(_ command: [UInt8]) throws(ReaderError) -> [UInt8]? {
        let identifier = target.identifier
        guard command.count >= 14, command[2..<10].elementsEqual(identifier), command[10] == 1 else { return nil }
        var elements = command[14...]
        var data: [UInt8] = []
        for _ in 0..<command[13] {
            guard let head = elements.popFirst(), let low = elements.popFirst() else { return nil }
            var number = Int(low)
            if head & 0x80 == 0 {
                guard let high = elements.popFirst() else { return nil }
                number |= Int(high) << 8
            }
            if command[13] == 1 { try require(number) }
            // FF A8: the block does not exist, or cannot be read.
            guard let bytes = bytes(number) else { return framed([0x07] + identifier + [0xFF, 0xA8]) }
            data += bytes
        }
        guard !data.isEmpty, data.count <= 15 * 16 else { return framed([0x07] + identifier + [0xFF, 0xA2]) }
        return framed([0x07] + identifier + [0x00, 0x00, command[13]] + data)
    }

    private func framed(_ answer: [UInt8]) -> [UInt8] { [UInt8(truncatingIfNeeded: answer.count + 1)] + answer }
}
