// Refusals that a reader reports as missing answers — ISO/IEC 15693-3, Response Format

import ReaderInterface

extension Type5Memory {
    /// The number of consecutive failures, each followed by a successful READ SINGLE BLOCK, after which a command
    /// counts as refused.
    private static let controls = 3

    /// Repeats a command that programs the memory, until the tag answers.
    ///
    /// The command's effect on the tag must not depend on how many times it is carried out.
    ///
    /// After a missing answer, calls `isDone`, which returns whether the tag shows the effect of the command. A refusal
    /// that the reader hides becomes the error 0F, which gives no reason.
    func insist(
        on command: ISO15693Command, of block: Int,
        unless isDone: () throws(TagError) -> Bool = { () throws(TagError) in false }
    ) throws(TagError) -> ISO15693Answer {
        var silences = 0
        return try insist(on: "\(command.code)", at: offset(of: block)) { _ throws(TagError) in
            do throws(TagError) {
                return try exchange(command, timeout: Self.writeTimeout)
            } catch .reader(.noAnswer) {
                if try isDone() { return .data([]) }
                guard try isRefused(command, after: &silences) else { throw .reader(.noAnswer) }
                return .error(.unknown)
            }
        }
    }

    /// Whether the tag refused a command on a reader that hides refusals.
    ///
    /// The result is true if the command is never answered while block 0 can be read each time.
    ///
    /// After each missing answer, the caller passes the same `silences`, initially 0. This variable counts the
    /// consecutive calls in which block 0 could be read.
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
