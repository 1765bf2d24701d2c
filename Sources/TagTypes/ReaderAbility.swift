// What a reader must be able to send before a procedure writes its first byte

import ReaderInterface

extension TagChannel {
    /// Checks that the reader can send a command that a procedure is going to need.
    ///
    /// - Parameters:
    ///   - command: one that changes nothing on any tag. Where the reader cannot send it, it is sent nevertheless to
    ///     get the reason.
    ///   - framing: as it would be sent.
    /// - Throws: the reader's own error where it cannot send the command.
    func require(_ command: [UInt8], framing: Framing) throws(TagError) {
        guard !carries(command, framing: framing) else { return }
        _ = try onReader { () throws(ReaderError) in try transceive(command, framing: framing) }
    }
}
