// Pages that need a password for writing — NXP data sheet SL2S2602, PROTECT PAGE and GET NXP SYSTEM INFORMATION

import Chips

extension Type5Memory {
    /// The bits of the protection conditions that protect blocks below the pointer, and from the pointer onwards.
    private static let (writeBelow, writeFrom): (UInt8, UInt8) = (0x02, 0x20)

    /// Returns the failure for a refused command that programs a block.
    ///
    /// An ICODE SLIX2 gives no reason if the block needs a password, but it reports which pages need one.
    func refusal(
        _ error: ISO15693Error, of code: ISO15693Command.Code, _ block: Int
    ) throws(TagError) -> TagError {
        if error == .unknown, try needsPassword(toWrite: block) { return .passwordUnsupported(block: block) }
        return error.refusal(of: code, at: offset(of: block))
    }

    private func needsPassword(toWrite block: Int) throws(TagError) -> Bool {
        guard model?.type5Layout?.hasPages ?? false,
            let data = try ask(ISO15693Command(.getNXPSystemInformation, field: ChipModel.Maker.nxp.code)),
            data.count >= 2
        else { return false }
        let (pointer, conditions) = (Int(data[0]), data[1])
        return conditions & (block < pointer ? Self.writeBelow : Self.writeFrom) != 0
    }
}
