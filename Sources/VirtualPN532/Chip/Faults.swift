// Faults of the virtual reader, which occur at certain tag commands or times

import Synchronization

/// The faults to simulate, and when they occur.
///
/// Tag commands are frames to an activated tag except RATS, PPS, HLTA and S-blocks. They are counted from 1 over the
/// reader's lifetime. A fault that is `nil` does not occur.
public struct Faults: Hashable, Sendable {
    /// The number of commands after which the tag leaves.
    ///
    /// The last of these commands is still answered.
    public var loss: Int?
    /// The number of the command during which power fails.
    ///
    /// The tag then leaves.
    public var tear: Int?
    /// The number of the command that is answered with NAK.
    ///
    /// The tag falls back to IDLE. An ISO-DEP tag does not answer this command at all.
    public var nak: Int?
    /// The number of the command whose answer arrives with a wrong CRC_A.
    public var crc: Int?
    /// The number of the command whose answer the chip sends to its host in a frame with a wrong checksum.
    public var corrupt: Int?
    /// The number of commands after which the chip ignores its host.
    ///
    /// 0 means from the start.
    public var mute: Int?
    /// The number of the first command that the chip only acknowledges; from then on, it answers no command.
    ///
    /// 0 means from the start.
    public var hang: Int?
    /// The number of frames from its host that the chip misses because it sleeps, as boards do after power-up.
    public var deaf: Int?
    /// How long the chip sleeps after the host's first byte, missing all frames.
    public var slowwake: Duration?
    /// The time after which a lost or torn tag returns; nil if it never returns.
    public var back: Duration?
    /// Whether loss, tear, nak, crc and corrupt occur every N commands instead of only once.
    public var repeats = false
    /// The quality of the radio link.
    ///
    /// Frames that the link loses do not count as tag commands.
    public var coupling = Coupling()

    /// Creates a set of faults in which none occurs.
    public init() {}

    package func strikes(_ number: Int?, at command: Int) -> Bool {
        guard let number, number > 0, command > 0 else { return false }
        return command == number || repeats && command.isMultiple(of: number)
    }
}

/// The current faults and the number of tag commands so far.
///
/// Any thread may change the faults, and the chip reads them.
package final class FaultCounter: Sendable {
    private struct State {
        var faults: Faults
        var command = 0
        var corruptsAnswer = false
        var missedFrames = 0
    }
    private let state: Mutex<State>

    package init(_ faults: Faults) { state = Mutex(State(faults: faults)) }

    package var faults: Faults {
        get { state.withLock(\.faults) }
        set { state.withLock { $0.faults = newValue } }
    }

    package func restart(with faults: Faults) { state.withLock { $0 = State(faults: faults) } }

    /// Counts a tag command, and returns its number and the current faults.
    package func countCommand() -> (number: Int, faults: Faults) {
        state.withLock { state in
            state.command += 1
            if state.faults.strikes(state.faults.corrupt, at: state.command) { state.corruptsAnswer = true }
            return (state.command, state.faults)
        }
    }

    var isMute: Bool { state.withLock { state in state.faults.mute.map { state.command >= $0 } ?? false } }
    var isHung: Bool { state.withLock { state in state.faults.hang.map { state.command >= $0 } ?? false } }

    /// Whether the chip misses a frame that arrives this long after the host's first byte, because it sleeps.
    func sleeps(after time: Duration) -> Bool {
        state.withLock { state in
            if let slowwake = state.faults.slowwake, time < slowwake { return true }
            guard let deaf = state.faults.deaf, state.missedFrames < deaf else { return false }
            state.missedFrames += 1
            return true
        }
    }

    /// Returns whether to corrupt the next answer to the host: true once for each occurrence of the fault.
    func takeCorruption() -> Bool {
        state.withLock { state in
            defer { state.corruptsAnswer = false }
            return state.corruptsAnswer
        }
    }
}
