// Frames of a Type 1 Tag in host commands for which libnfc has no call — libnfc 1.8 pn53x_transceive

import Clibnfc
@preconcurrency import Glibc
import ReaderInterface

extension LibNFCReader {
    /// Executes READ8, WRITE-E8 or WRITE-NE8 in two exchanges with the chip.
    ///
    /// Each exchange with the chip may take `milliseconds`. The specification defines the waiting time for the tag.
    /// Throws `noAnswer` if the tag does not answer, and libnfc's "not supported" for other commands and other chips.
    func transceiveJewelFrames(_ command: [UInt8], milliseconds: CInt) throws(ReaderError) -> [UInt8] {
        let operation = "sending a Type 1 Tag command"
        guard isPN532, let frames = JewelFrames(command) else {
            throw .libnfc(NFC_EDEVNOTSUPP, during: operation)
        }
        leavesParityToHost = true
        try send(frames.transmission, milliseconds: milliseconds, operation)
        usleep(frames.answerTime)
        let values = try send(JewelFrames.reception, milliseconds: milliseconds, operation)
        guard let answer = JewelFrames.answer(in: values) else { throw .noAnswer }
        return answer
    }

    /// Lets the chip handle parity bits again.
    ///
    /// Called before any other command is sent to a target.
    func endJewelFrames() throws(ReaderError) {
        guard leavesParityToHost else { return }
        try send(JewelFrames.restoration, milliseconds: link.commandTimeout, "ending Type 1 Tag commands")
        leavesParityToHost = false
    }

    @discardableResult
    private func send(_ command: [UInt8], milliseconds: CInt, _ operation: String) throws(ReaderError) -> [UInt8] {
        // The buffer must hold the chip's longest answer, because libnfc ignores the length that it is given.
        var answer = [UInt8](repeating: 0, count: 512)
        let count = try exchange(operation) { device in
            pn53x_transceive(device, command, command.count, &answer, answer.count, milliseconds)
        }
        return Array(answer.prefix(Int(count)))
    }
}
