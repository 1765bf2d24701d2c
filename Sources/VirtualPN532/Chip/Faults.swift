// Faults of the virtual reader, by the number of the tag command they strike

import Synchronization

/// What goes wrong, and when.
///
/// Tag commands are frames to an activated tag (RATS, HLTA and S-blocks aside), counted from 1 over the reader's life.
public struct Faults: Hashable, Sendable {
    /// The tag leaves after this many commands; the last is still answered.
    public var loss: Int?
    /// Power fails while this command executes, and the tag leaves.
    public var tear: Int?
    /// This command is answered with a NAK and the tag falls back to IDLE; an ISO-DEP tag stays silent once.
    public var nak: Int?
    /// The answer to this command arrives with a wrong CRC_A.
    public var crc: Int?
    /// The host frame with the answer to this command has a wrong checksum.
    public var corrupt: Int?
    /// The chip ignores its host after this many commands; 0 is from the start.
    public var mute: Int?
    /// The chip acknowledges but never answers, from this command on; 0 is from the start.
    public var hang: Int?
    /// The chip sleeps through this many frames of its host, as boards do after power-up.
    public var deaf: Int?
    /// The chip sleeps through all frames for this long after its host sent the first byte.
    public var slowwake: Duration?
    /// When a tag that was lost or torn returns; nil is never.
    public var back: Duration?
    /// Loss, tear, nak, crc and corrupt strike every N commands, not only once.
    public var repeats = false
    /// How well reader and tags hear each other; lost frames do not count as tag commands.
    public var coupling = Coupling()

    /// No faults.
    public init() {}

    package func strikes(_ number: Int?, at command: Int) -> Bool {
        guard let number, number > 0, command > 0 else { return false }
        return command == number || repeats && command.isMultiple(of: number)
    }
}

/// The faults in force and the count of tag commands: changed from any thread, consulted by the chip.
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

    /// Sets the faults, and counts from the beginning.
    package func restart(with faults: Faults) { state.withLock { $0 = State(faults: faults) } }

    /// Counts a tag command; returns its number and the faults to ask.
    package func countCommand() -> (number: Int, faults: Faults) {
        state.withLock { state in
            state.command += 1
            if state.faults.strikes(state.faults.corrupt, at: state.command) { state.corruptsAnswer = true }
            return (state.command, state.faults)
        }
    }

    var isMute: Bool { state.withLock { state in state.faults.mute.map { state.command >= $0 } ?? false } }
    var isHung: Bool { state.withLock { state in state.faults.hang.map { state.command >= $0 } ?? false } }

    /// Whether the chip sleeps through a frame, this long after its host sent the first byte.
    func sleeps(after time: Duration) -> Bool {
        state.withLock { state in
            if let slowwake = state.faults.slowwake, time < slowwake { return true }
            guard let deaf = state.faults.deaf, state.missedFrames < deaf else { return false }
            state.missedFrames += 1
            return true
        }
    }

    /// Whether the next answer to the host is to be corrupted; true once per strike.
    func takeCorruption() -> Bool {
        state.withLock { state in
            defer { state.corruptsAnswer = false }
            return state.corruptsAnswer
        }
    }
}
