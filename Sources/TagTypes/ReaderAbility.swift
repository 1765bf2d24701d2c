// Checking, before a procedure writes its first byte, that the reader can send the commands of the procedure

import ReaderInterface

extension TagChannel {
    /// Checks that the reader can send a command that a procedure will need.
    ///
    /// - Parameters:
    ///   - command: a command that changes nothing on any tag. If the reader cannot send it, an attempt is made anyway,
    ///     to obtain the reader's error.
    ///   - framing: the framing with which the command would be sent.
    /// - Throws: the reader's own error if it cannot send the command.
    func require(_ command: [UInt8], framing: Framing) throws(TagError) {
        guard !carries(command, framing: framing) else { return }
        _ = try onReader { () throws(ReaderError) in try transceive(command, framing: framing) }
    }
}
