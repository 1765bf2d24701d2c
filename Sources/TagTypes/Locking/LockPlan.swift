// The changes that lock a tag, as a value that is shown and confirmed before it is carried out unchanged

/// The steps that make a tag read-only, and the places where their effect is verified.
public struct LockPlan: Hashable, Sendable {
    /// The steps, in order.
    ///
    /// The list is empty if everything is already set.
    public let steps: [LockStep]
    /// The places that must refuse a write after the lock.
    let locked: [LockedPlace]
    /// Whether the tag itself refuses writes after the lock.
    ///
    /// If this is false, the lock is only a mark that readers respect, and the mark may already be set.
    public let isEnforced: Bool

    init(steps: [LockStep], locked: [LockedPlace] = [], isEnforced: Bool = true) {
        self.steps = steps
        self.locked = locked
        self.isEnforced = isEnforced
    }

    /// Whether there is nothing left to set.
    ///
    /// The lock itself is verified only when the plan is carried out.
    public var isEmpty: Bool { steps.isEmpty }

    /// The strongest permanence of any step, or `nil` for a plan without steps.
    public var permanence: LockStep.Permanence? { steps.map(\.permanence).max() }
}

/// One of the steps that make a tag read-only.
public struct LockStep: Hashable, Sendable {
    /// What is known about undoing a step.
    public enum Permanence: Int, Comparable, Hashable, Sendable {
        /// The step sets a flag that readers respect. Any device that can write the tag can clear it.
        case reversible
        /// nfctool cannot undo the step, but the chip may have a way to do so.
        case unknown
        /// According to the data sheet of the chip, the step cannot be undone.
        case permanent

        /// Orders the values from reversible to permanent.
        public static func < (left: Self, right: Self) -> Bool { left.rawValue < right.rawValue }
    }

    /// The effect of a step.
    public enum Effect: Hashable, Sendable, CustomStringConvertible {
        /// Readers treat this part, for example `the tag`, as read-only, but other devices can still write it.
        case mark(String)
        /// The tag refuses changes to these parts. `limit` says to what extent.
        case lock(_ parts: String, limit: String = "can never be written again")

        /// The effect as a clause, for example `blocks 3 to 15 can never be written again`.
        public var description: String {
            switch self {
            case .mark(let part): "marks \(part) as read-only for readers"
            case .lock(let parts, let limit): "\(parts) \(limit)"
            }
        }
    }

    /// The name of the setting, for example `static lock bits`.
    public let name: String
    /// The place in words, for example `block 2` or `file E103 offset 14`.
    public let place: String
    /// The current bytes of the setting.
    public let old: [UInt8]
    /// The bytes of the setting after the step.
    public let new: [UInt8]
    /// The effect of the step.
    public let effect: Effect
    /// What is known about undoing the step.
    public let permanence: Permanence
    /// The pieces to write, one command each.
    let pieces: [LockPiece]

    init(
        name: String, place: String, old: [UInt8], new: [UInt8], effect: Effect, permanence: Permanence,
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
    enum Space: Hashable, Sendable {
        /// Byte addresses on Type 1, Type 2 and Type 5, block numbers on Type 3 and MIFARE Classic, offsets in the
        /// capability container on Type 4.
        case memory
        /// The access rights of DESFire files.
        case fileSettings
        /// The security status of Type 5 Tag blocks: 00 is open, 01 is locked.
        case blockStatus
    }

    var space = Space.memory
    let address: Int
    /// The bytes that are expected when the piece is read before the change.
    let old: [UInt8]
    /// The bytes that are expected when the piece is read after the change.
    let new: [UInt8]
    /// The bytes in the command.
    ///
    /// The tag may combine them with the existing bytes, and need not return all of them when read.
    let written: [UInt8]
}

/// A place that a lock makes read-only.
struct LockedPlace: Hashable, Sendable {
    /// The place in words, for example `block 20`.
    let name: String
    /// The address of the place, in the address space of this tag type's write commands.
    let address: Int
}
