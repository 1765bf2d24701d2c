// What a reader must be able to send before a procedure writes its first byte

import ReaderInterface

extension TagChannel {
    /// Throws the reader's own error where it cannot send a command that a procedure is going to need.
    ///
    /// - Parameters:
    ///   - command: one that changes nothing on any tag: the reader says why it cannot send it by being asked to.
    ///   - framing: as it would be sent.
    func require(_ command: [UInt8], framing: Framing) throws(TagError) {
        guard !carries(command, framing: framing) else { return }
        _ = try onReader { () throws(ReaderError) in try transceive(command, framing: framing) }
    }
}
