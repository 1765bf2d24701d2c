// The changes that lock a tag, as a value: first shown and confirmed, then carried out unchanged

/// The steps that make a tag read-only, and the means to verify their effect.
public struct LockPlan: Hashable, Sendable {
    /// The steps, in order.
    ///
    /// Empty if everything is already set.
    public let steps: [LockStep]
    /// The places that must refuse a write afterwards.
    let locked: [LockedPlace]
    /// Whether the tag itself refuses writes afterwards.
    ///
    /// If false, readers only respect a mark, which may already be set.
    public let isEnforced: Bool

    /// Creates a plan.
    init(steps: [LockStep], locked: [LockedPlace] = [], isEnforced: Bool = true) {
        self.steps = steps
        self.locked = locked
        self.isEnforced = isEnforced
    }

    /// Whether there is nothing left to set.
    ///
    /// The lock itself is verified only when the plan is carried out.
    public var isEmpty: Bool { steps.isEmpty }

    /// The strongest permanence of any step, or nil for a plan without steps.
    public var permanence: LockStep.Permanence? { steps.map(\.permanence).max() }
}

/// One of the steps that make a tag read-only.
public struct LockStep: Hashable, Sendable {
    /// The known facts about undoing a step.
    public enum Permanence: Int, Comparable, Hashable, Sendable {
        /// The step sets a flag that readers respect. Any writer may clear it.
        case reversible
        /// nfctool cannot undo the step, but the chip may have a way to do so.
        case unknown
        /// According to the data sheet of the chip, the step cannot be undone.
        case permanent

        /// Orders from reversible to permanent.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The name of the setting, for example `static lock bits`.
    public let name: String
    /// The place in words: `block 2`, `file E103 offset 14`.
    public let place: String
    /// The current bytes.
    public let old: [UInt8]
    /// The bytes with the new bits set.
    public let new: [UInt8]
    /// The effect as a clause: `blocks 3 to 15 can never be written again`.
    public let effect: String
    /// Whether the step can be undone.
    public let permanence: Permanence
    /// The pieces to write, one command each.
    let pieces: [LockPiece]

    init(
        name: String, place: String, old: [UInt8], new: [UInt8], effect: String, permanence: Permanence,
        pieces: [LockPiece]
    ) {
        self.name = name
        self.place = place
        self.old = old
        self.new = new
        self.effect = effect
        self.permanence = permanence
        self.pieces = pieces
    }
}

/// The change that one command of a lock makes.
struct LockPiece: Hashable, Sendable {
    /// The address space of a piece.
    enum Space: Hashable, Sendable {
        /// Byte addresses on Type 1, Type 2 and Type 5, block numbers on Type 3 and MIFARE Classic, offsets in the
        /// capability container on Type 4.
        case memory
        /// The access rights of DESFire files.
        case fileSettings
        /// The security status of Type 5 Tag blocks: 00 open, 01 locked.
        case blockStatus
    }

    var space = Space.memory
    let address: Int
    /// The bytes that are read before the change.
    let old: [UInt8]
    /// The bytes that are read after the change.
    let new: [UInt8]
    /// The bytes in the command.
    ///
    /// The tag may combine them with the existing bytes, and may not return all of them when read.
    let written: [UInt8]
}

/// A place that a lock makes read-only.
struct LockedPlace: Hashable, Sendable {
    /// The place in words, for example `block 20`.
    let name: String
    /// The address, in the address space that writes of this tag type use.
    let address: Int
}
