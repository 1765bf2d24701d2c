// What locking a tag changes, as a value: shown and confirmed first, then carried out as it is

/// The steps of making a tag read-only, and how to find out that they had an effect.
public struct LockPlan: Hashable, Sendable {
    /// What is set, in this order; empty when all of it reads as set.
    public let steps: [LockStep]
    /// The places that refuse a write afterwards.
    let locked: [LockedPlace]
    /// Whether the tag itself refuses writes afterwards; false where readers only heed a mark, also one that is set already.
    public let isEnforced: Bool

    /// Makes a plan.
    init(steps: [LockStep], locked: [LockedPlace] = [], isEnforced: Bool = true) {
        self.steps = steps
        self.locked = locked
        self.isEnforced = isEnforced
    }

    /// Whether nothing is left to set.
    ///
    /// That the tag is locked is proven only when the plan is carried out.
    public var isEmpty: Bool { steps.isEmpty }

    /// The strongest claim that holds for the tag as a whole; nil for a plan without steps.
    public var permanence: LockStep.Permanence? { steps.map(\.permanence).max() }
}

/// A step of making a tag read-only.
public struct LockStep: Hashable, Sendable {
    /// What is known about taking a step back.
    public enum Permanence: Int, Comparable, Hashable, Sendable {
        /// It is a flag that readers heed; any writer may clear it.
        case reversible
        /// This tool cannot undo it; the chip may have a way.
        case unknown
        /// According to the chip's data sheet, it cannot be undone.
        case permanent

        /// From what can be taken back to what cannot.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// What is set, for example `static lock bits`.
    public let name: String
    /// Where, in words: `block 2`, `file E103 offset 14`.
    public let place: String
    /// The bytes as they are.
    public let old: [UInt8]
    /// The bytes with the bits set.
    public let new: [UInt8]
    /// What it does, a clause: `blocks 3 to 15 can never be written again`.
    public let effect: String
    /// Whether it can be taken back.
    public let permanence: Permanence
    /// What is written, one command each.
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

/// What one command of a lock changes.
struct LockPiece: Hashable, Sendable {
    /// Which of the tag's address spaces.
    enum Space: Hashable, Sendable {
        /// Byte addresses of Type 1, Type 2 and Type 5, block numbers of Type 3 and MIFARE Classic, offsets in the capability
        /// container of Type 4.
        case memory
        /// The access rights of DESFire files.
        case fileSettings
        /// The security status of Type 5 Tag blocks: 00 open, 01 locked.
        case blockStatus
    }

    var space = Space.memory
    let address: Int
    /// What reads there before.
    let old: [UInt8]
    /// What reads there afterwards.
    let new: [UInt8]
    /// What the command carries: the tag may add it to what is there, and not all of it may read back.
    let written: [UInt8]
}

/// A place that a lock closes.
struct LockedPlace: Hashable, Sendable {
    /// In words, `block 20`.
    let name: String
    /// In the address space that writes of the tag type use.
    let address: Int
}
