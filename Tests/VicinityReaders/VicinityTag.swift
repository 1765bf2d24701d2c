// An ISO 15693 tag for tests that follows the standard — ISO/IEC 15693-3, VICC memory organization, VICC states,
// Commands

import Synchronization

/// A tag with memory, locks and the states ready, quiet and selected.
///
/// Its commands are in `VicinityTag+Commands`. It can be inspected from any thread.
public final class VicinityTag: Sendable {
    /// The UID, with E0 first.
    public let uid: [UInt8]
    let makersCommands: @Sendable (UInt8, [UInt8]) -> [UInt8]?

    enum Condition { case ready, quiet, selected }

    struct State {
        var blocks: [[UInt8]]
        var lockedBlocks: Set<Int> = []
        var afi: UInt8 = 0
        var dsfid: UInt8 = 0
        var lockedFields: Set<UInt8> = []
        var condition = Condition.ready
        /// The result of Challenge, which is read later.
        var buffer: [UInt8] = []
        var fault = Fault.none
        var frames: [[UInt8]] = []
        /// Whether reads beyond the memory return the existing blocks.
        var truncates = false
    }

    /// The faults of the next commands.
    public enum Fault: Sendable {
        case none
        /// This many answers are lost, although the commands are carried out.
        case losesAnswers(Int)
        /// This many commands are not received.
        case hearsNothing(Int)
    }

    let state: Mutex<State>

    /// Creates a tag.
    ///
    /// - Parameters:
    ///   - uid: 8 bytes, E0 first.
    ///   - blockCount: the number of blocks.
    ///   - blockSize: the size of a block in bytes.
    ///   - makersCommands: returns the answer to a command A0 to DF with these parameters, including its flags, or nil
    ///     for silence.
    public init(
        uid: [UInt8] = [0xE0, 0x04, 0x01, 0x50, 0x11, 0x22, 0x33, 0x44], blockCount: Int = 28, blockSize: Int = 4,
        makersCommands: @escaping @Sendable (UInt8, [UInt8]) -> [UInt8]? = { _, _ in [0x01, 0x01] }
    ) {
        self.uid = uid
        self.makersCommands = makersCommands
        state = Mutex(State(blocks: (0..<blockCount).map { _ in [UInt8](repeating: 0, count: blockSize) }))
    }

    /// The memory in one piece.
    public var memory: [UInt8] {
        get { state.withLock { Array($0.blocks.joined()) } }
        set {
            state.withLock { state in
                let size = state.blocks[0].count
                for (index, byte) in newValue.enumerated() where index / size < state.blocks.count {
                    state.blocks[index / size][index % size] = byte
                }
            }
        }
    }

    /// The AFI and the DSFID.
    public var fields: (afi: UInt8, dsfid: UInt8) { state.withLock { ($0.afi, $0.dsfid) } }
    /// The locked blocks.
    public var lockedBlocks: Set<Int> { state.withLock { $0.lockedBlocks } }
    /// All frames that reached the tag.
    public var frames: [[UInt8]] { state.withLock { $0.frames } }

    /// Makes the next commands fail.
    public func fail(_ fault: Fault) { state.withLock { $0.fault = fault } }
    /// Makes reads beyond the memory return the existing blocks, as on an ICODE.
    public func truncateReads() { state.withLock { $0.truncates = true } }

    /// Resets the state, like a loss of the field.
    func reset() { state.withLock { $0.condition = .ready } }
    /// Whether the tag answers an inventory.
    var isHeard: Bool { state.withLock { $0.condition != .quiet } }

    /// Returns the answer to a frame, including its flags but without CRC, or nil for silence.
    func answer(to frame: [UInt8]) -> [UInt8]? {
        state.withLock { state in
            state.frames.append(frame)
            switch state.fault {
            case .none: return carryOut(frame, &state)
            case .hearsNothing(let count):
                state.fault = count > 1 ? .hearsNothing(count - 1) : .none
                return nil
            case .losesAnswers(let count):
                state.fault = count > 1 ? .losesAnswers(count - 1) : .none
                _ = carryOut(frame, &state)
                return nil
            }
        }
    }
}
