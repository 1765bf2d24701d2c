// Exchanges with the selected target — libnfc 1.8 nfc_initiator_transceive_bytes

import Clibnfc
import Hexadecimal
import Logging
import ReaderInterface

/// The channel to the target that a ``LibNFCReader`` has selected.
///
/// It becomes invalid when the reader selects another target.
final class LibNFCChannel: TagChannel {
    let target: Target
    private unowned let reader: LibNFCReader
    private var mask = WireMask()

    init(target: Target, reader: LibNFCReader) {
        self.target = target
        self.reader = reader
    }

    var maxCommandLength: Int { reader.link.maxCommandLength }
    var maxResponseLength: Int { reader.link.maxResponseLength }
    var longestSilence: Duration { reader.link.longestSilence(target.chipTimeout) }

    func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8] {
        guard reader.isCurrent(self) else { throw .tagLost }
        guard 1...maxCommandLength ~= command.count else {
            throw .commandTooLong(length: command.count, limit: maxCommandLength)
        }
        let milliseconds = reader.link.timeout(for: timeout, chipTimeout: target.chipTimeout)
        let shown = mask.text(ofCommand: command)
        reader.logger.trace("> \(shown)")
        do throws(ReaderError) {
            let answer =
                if case .jewel = target, framing == .raw {
                    try reader.transceiveJewelFrames(command, milliseconds: milliseconds)
                } else {
                    try transceiveBytes(command, framing: framing, milliseconds: milliseconds)
                }
            let shown = mask.text(ofAnswer: answer)
            reader.logger.trace("< \(shown)")
            return answer
        } catch {
            reader.logger.trace("< \(error)")
            if error == .noAnswer { reader.bitRates?.noteSilence(of: target) }
            throw error
        }
    }

    private func transceiveBytes(
        _ command: [UInt8], framing: Framing, milliseconds: CInt
    ) throws(ReaderError) -> [UInt8] {
        try reader.endJewelFrames()
        if framing != reader.framing {
            try reader.set(NP_EASY_FRAMING, framing == .handled)
            reader.framing = framing
        }
        var answer = [UInt8](repeating: 0, count: 512)
        let count = try reader.exchange("sending a tag command") { device in
            nfc_initiator_transceive_bytes(device, command, command.count, &answer, answer.count, milliseconds)
        } accept: {
            // libnfc returns NFC_ECHIP if an answer is longer than its own buffer or the chip's buffer. The reader
            // still works.
            $0 == NFC_ECHIP
        }
        guard count >= 0 else { throw .noAnswer }
        answer.removeLast(answer.count - min(Int(count), answer.count))
        return answer
    }

    func exchangeFrame(_ command: [UInt8], timeout: Duration) throws(ReaderError) -> FrameAnswer {
        guard case .nfcA = target else { return .bytes(try transceive(command, framing: .raw, timeout: timeout)) }
        guard 1...maxFrameLength ~= command.count else {
            throw .commandTooLong(length: command.count, limit: maxFrameLength)
        }
        // An answer of four bits has no CRC. The chip delivers it only if it does not check the CRC.
        let received = try withoutCRCOfChip { () throws(ReaderError) in
            try transceive(ChecksumA.appended(to: command), framing: .raw, timeout: timeout)
        }
        if received.count == 1, received[0] <= 0x0F { return .nibble(received[0]) }
        guard let bytes = ChecksumA.stripped(received) else { throw .noAnswer }
        return .bytes(bytes)
    }

    func exchangeShortFrame(_ code: UInt8, timeout: Duration) throws(ReaderError) -> FrameAnswer {
        guard reader.isCurrent(self), case .nfcA = target else { throw .tagLost }
        reader.logger.trace("> \([code].spacedHex) (7 bits)")
        var (frame, answer) = ([code], [UInt8](repeating: 0, count: 16))
        try reader.set(NP_HANDLE_CRC, false)
        try reader.set(NP_EASY_FRAMING, false)
        reader.framing = .raw
        let result = Result { () throws(ReaderError) in
            try reader.exchange("sending a frame of 7 bits") { device in
                nfc_initiator_transceive_bits(device, &frame, 7, nil, &answer, answer.count, nil)
            } accept: {
                $0 == NFC_ECHIP
            }
        }
        try reader.set(NP_HANDLE_CRC, true)
        let bits = try result.get()
        guard bits == 4 else { throw .noAnswer }
        return .nibble(answer[0] & 0x0F)
    }

    /// Leaves the CRC to the host for one exchange.
    ///
    /// In all other exchanges, the chip handles the CRC.
    private func withoutCRCOfChip(
        _ exchange: () throws(ReaderError) -> [UInt8]
    ) throws(ReaderError) -> [UInt8] {
        try reader.set(NP_HANDLE_CRC, false)
        let answer: [UInt8]
        do throws(ReaderError) {
            answer = try exchange()
        } catch {
            try reader.set(NP_HANDLE_CRC, true)
            throw error
        }
        try reader.set(NP_HANDLE_CRC, true)
        return answer
    }

    func reselect() throws(ReaderError) {
        guard reader.isCurrent(self), try reader.reselect(target) else { throw .tagLost }
    }
}
