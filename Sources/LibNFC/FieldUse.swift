// The targets' states since the field was last switched on — ISO/IEC 14443-3, PICC states for type A

import ReaderInterface

/// The state of the field, which determines what a plain poll can find.
enum FieldUse {
    /// No target was selected, and all targets are waiting for a poll.
    ///
    /// `emptyPolls` counts the polls that found nothing. If the last answer of an activation is lost, its target stays
    /// selected without the reader's knowledge. An ISO-DEP target ignores every further REQA in this state (ISO/IEC
    /// 14443-4, PROTOCOL state).
    case fresh(emptyPolls: Int = 0)
    /// Only this target is selected, and no target was halted.
    ///
    /// The first REQA sends it back to the state in which the others wait, and the others answer. If this target is
    /// alone, it answers the next REQA. `glances` counts the checks of this target that found nothing new.
    case oneSelected(Target, glances: Int)
    /// Some targets may be halted, so that they do not answer a plain poll.
    case several

    /// The maximum number of consecutive checks without a field reset.
    ///
    /// After that many checks, the next poll resets the field, and also finds targets that no plain poll finds.
    private static let maximumGlances = 5

    /// The number of consecutive empty polls after which the field is reset for the next poll.
    private static let maximumEmptyPolls = 2

    var isFresh: Bool { if case .fresh(let polls) = self { polls < Self.maximumEmptyPolls } else { false } }

    var afterEmptyPoll: FieldUse { if case .fresh(let polls) = self { .fresh(emptyPolls: polls + 1) } else { self } }

    var hasOneSelected: Bool { if case .oneSelected = self { true } else { false } }

    /// Returns the state of the field after this target was selected in it.
    func selecting(_ target: Target?) -> FieldUse {
        if case .several = self { return .several }
        // An ISO-DEP target ignores REQA. It is not certain how targets of other technologies answer the next poll.
        guard case .nfcA(let found)? = target, !found.isISODEP else { return .several }
        return .oneSelected(.nfcA(found), glances: 0)
    }

    /// Returns the selected target if a plain poll would now find every NFC-A target that has joined or replaced it.
    ///
    /// Nil if targets could be missed.
    func beside(_ settled: Set<[UInt8]>?) -> (target: Target, after: FieldUse)? {
        guard let settled, case .oneSelected(let target, let glances) = self, glances < Self.maximumGlances,
            settled.contains(target.identifier)
        else { return nil }
        return (target, .oneSelected(target, glances: glances + 1))
    }
}
