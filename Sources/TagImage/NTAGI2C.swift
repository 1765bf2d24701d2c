// Session registers of an NTAG I2C in dump files — NXP NT3H1101/1201 and NT3H2111/2211, memory organization
import Chips

extension TagImage {
    /// The blocks, with zeros for session registers that were not read.
    ///
    /// Formats whose block numbers have no gaps must include these registers.
    var blocksWithRegisters: [Block] {
        guard case .type2(let chip?) = kind else { return blocks }
        return blocks.map { block in
            guard block.bytes == nil, chip.sessionRegisters.contains(block.number) else { return block }
            return Block(number: block.number, bytes: [0, 0, 0, 0])
        }
    }
}
