// `FF FB`: ISO 15693 commands for which the reader builds the frame — ACS, from transcripts

import VirtualPN532

extension ReaderFirmware {
    /// Executes `FF FB 00 00 Lc command parameters`, and returns the data of the tag's answer without its flags.
    func passThrough(_ command: PseudoAPDU, _ card: any VirtualTag) -> [UInt8] {
        guard let tag = card as? VirtualISO15693Tag else { return StatusWord.functionNotSupported.bytes }
        guard let code = command.data.first else { return StatusWord.wrongLength.bytes }
        return answer(of: tag, to: code, Array(command.data.dropFirst()))
    }

    /// Sends a command in addressed mode without other options (flags 22), and returns the data of the answer.
    func answer(of tag: VirtualISO15693Tag, to code: UInt8, _ parameters: [UInt8]) -> [UInt8] {
        // Custom commands contain the manufacturer code before the UID.
        let isCustom = (0xA0...0xDF).contains(code) && !parameters.isEmpty
        let head = [0x22, code] + (isCustom ? [parameters[0]] : [])
        let request = head + tag.uid.reversed() + parameters.dropFirst(isCustom ? 1 : 0)
        guard case .frame(let answer) = vicinity.exchange(request, wait: model.commandTime), let flags = answer.first
        else { return StatusWord.timeout.bytes }
        guard flags & 0x01 == 0 else { return StatusWord.failed.bytes }
        return answer.dropFirst() + StatusWord.success.bytes
    }
}
