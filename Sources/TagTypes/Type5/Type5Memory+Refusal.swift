// Refusals that a reader reports like silence — ISO/IEC 15693-3, Response Format

import ReaderInterface

extension Type5Memory {
    /// How often in a row a command must fail, while READ SINGLE BLOCK succeeds each time, to count as refused.
    private static let controls = 3

    /// Sends a command until it is answered; it must change the tag in the same way however often it is carried out.
    ///
    /// Asks `isDone` after silence: whether the tag shows that it carried out the command. A refusal that the reader
    /// hides becomes the error 0F, which gives no reason.
    func insist(
        on command: ISO15693Command, of block: Int, timeout: Duration,
        unless isDone: () throws(TagError) -> Bool = { () throws(TagError) in false }
    ) throws(TagError) -> ISO15693Answer {
        var silences = 0
        return try insist(on: "\(command.code)", at: offset(of: block)) { _ throws(TagError) in
            do throws(TagError) {
                return try exchange(command, timeout: timeout)
            } catch .reader(.noAnswer) {
                if try isDone() { return .data([]) }
                guard try isRefused(command, after: &silences) else { throw .reader(.noAnswer) }
                return .error(.unknown)
            }
        }
    }

    /// Whether the tag refused a command without an answer, where the reader hides refusals: it never answers the
    /// command, and lets block 0 be read each time.
    ///
    /// The caller passes the same `silences`, at first 0, after each silence. It counts how often in a row block 0
    /// could be read.
    func isRefused(_ command: ISO15693Command, after silences: inout Int) throws(TagError) -> Bool {
        let control = self.command(readCode(of: 0), 0)
        guard command != control, channel.hidesRefusal(of: command.frame(to: uid)) else { return false }
        silences = try isAnswered(control) ? silences + 1 : 0
        return silences >= Self.controls
    }

    private func isAnswered(_ control: ISO15693Command) throws(TagError) -> Bool {
        do throws(TagError) {
            guard case .data(let bytes) = try exchange(control) else { return false }
            return !bytes.isEmpty
        } catch .reader(.noAnswer) {
            return false
        }
    }
}
