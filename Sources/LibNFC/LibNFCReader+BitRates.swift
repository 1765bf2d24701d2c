// Higher bit rates with a target that was just selected — NXP UM0701-02, InPSL; libnfc 1.8 pn53x_transceive

import Clibnfc
import Logging
import ReaderInterface

extension LibNFCReader {
    /// Agrees on higher bit rates with the target that was just selected, if they were requested when the reader was
    /// opened.
    ///
    /// InPSL makes the chip send a PPS, which is possible only before the first block. libnfc can send InPSL itself
    /// during a selection, but it ignores TA(1), waits without a limit and reports no target if there is no answer.
    ///
    /// A target that does not agree is selected again and stays at 106 kbit/s. Returns false if the target no longer
    /// answers.
    func agreeOnBitRates(with target: Target) throws(ReaderError) -> Bool {
        guard let rates = bitRates?.rates(for: target), isPN532 else { return true }
        if try change(to: rates, of: target) {
            bitRates?.noteAgreement()
            logger.trace("\(rates.toTarget.number) kbit/s to the tag, \(rates.toReader.number) kbit/s from it")
            return true
        }
        bitRates?.noteRefusal()
        logger.trace("106 kbit/s: the tag did not agree to a higher bit rate")
        if try selectOnce(target) { return true }
        // Perhaps only the answer was lost. In that case, the target uses the new bit rates until it loses its power.
        return try selectAfresh(target)
    }

    /// Changes the bit rates of a target.
    ///
    /// Returns false if the target did not answer, or if the chip refused the command.
    private func change(to rates: BitRates, of target: Target) throws(ReaderError) -> Bool {
        let command = rates.command
        let milliseconds = link.timeout(for: .zero, chipTimeout: target.chipTimeout)
        // The buffer must hold the chip's longest answer, because libnfc ignores the length that it is given.
        var answer = [UInt8](repeating: 0, count: 512)
        do throws(ReaderError) {
            return try exchange("changing the bit rate") { device in
                pn53x_transceive(device, command, command.count, &answer, answer.count, milliseconds)
            } accept: {
                [NFC_EINVARG, NFC_ECHIP, NFC_ETGRELEASED].contains($0)
            } >= 0
        } catch .noAnswer {
            return false
        }
    }
}
