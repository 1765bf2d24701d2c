// Faults of the virtual reader, selected by the number of the affected tag command

import Synchronization

/// The faults to simulate, and when they occur.
///
/// Tag commands are frames to an activated tag except RATS, PPS, HLTA and S-blocks. They are counted from 1 over the
/// reader's lifetime. A fault that is `nil` does not occur.
public struct Faults: Hashable, Sendable {
    /// The tag leaves after this many commands.
    ///
    /// The last one is still answered.
    public var loss: Int?
    /// Power fails while this command executes, and the tag leaves.
    public var tear: Int?
    /// The answer to this command is a NAK, and the tag falls back to IDLE.
    ///
    /// An ISO-DEP tag stays silent once instead.
    public var nak: Int?
    /// The answer to this command arrives with a wrong CRC_A.
    public var crc: Int?
    /// The host frame with the answer to this command has a wrong checksum.
    public var corrupt: Int?
    /// The chip ignores its host after this many commands.
    ///
    /// 0 means from the start.
    public var mute: Int?
    /// From this command on, the chip acknowledges commands but never answers.
    ///
    /// 0 means from the start.
    public var hang: Int?
    /// The chip misses this many frames from its host because it sleeps, as boards do after power-up.
    public var deaf: Int?
    /// The chip sleeps for this long after the host's first byte, and misses all frames until it wakes.
    public var slowwake: Duration?
    /// The time after which a lost or torn tag returns.
    ///
    /// `nil` means that the tag never returns.
    public var back: Duration?
    /// Whether loss, tear, nak, crc and corrupt occur every N commands, not only once.
    public var repeats = false
    /// The quality of the radio link.
    ///
    /// Lost frames do not count as tag commands.
    public var coupling = Coupling()

    /// Creates a set without faults.
    public init() {}

    package func strikes(_ number: Int?, at command: Int) -> Bool {
        guard let number, number > 0, command > 0 else { return false }
        return command == number || repeats && command.isMultiple(of: number)
    }
}

/// The faults in force and the count of tag commands.
///
/// They can be changed from any thread; the chip reads them.
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

    /// Sets the faults and restarts the count.
    package func restart(with faults: Faults) { state.withLock { $0 = State(faults: faults) } }

    /// Counts a tag command.
    ///
    /// Returns its number and the faults in force.
    package func countCommand() -> (number: Int, faults: Faults) {
        state.withLock { state in
            state.command += 1
            if state.faults.strikes(state.faults.corrupt, at: state.command) { state.corruptsAnswer = true }
            return (state.command, state.faults)
        }
    }

    var isMute: Bool { state.withLock { state in state.faults.mute.map { state.command >= $0 } ?? false } }
    var isHung: Bool { state.withLock { state in state.faults.hang.map { state.command >= $0 } ?? false } }

    /// Whether the chip sleeps through a frame that arrives this long after the host's first byte.
    func sleeps(after time: Duration) -> Bool {
        state.withLock { state in
            if let slowwake = state.faults.slowwake, time < slowwake { return true }
            guard let deaf = state.faults.deaf, state.missedFrames < deaf else { return false }
            state.missedFrames += 1
            return true
        }
    }

    /// Whether to corrupt the next answer to the host.
    ///
    /// Returns true once per fault.
    func takeCorruption() -> Bool {
        state.withLock { state in
            defer { state.corruptsAnswer = false }
            return state.corruptsAnswer
        }
    }
}
