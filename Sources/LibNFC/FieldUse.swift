// What became of the targets since the field was last switched on — ISO/IEC 14443-3, PICC states for type A

import ReaderInterface

/// What a plain poll can rely on.
enum FieldUse {
    /// No target was selected: all wait for a poll.
    ///
    /// `emptyPolls` counts the polls that found nothing. An activation whose last answer was lost leaves its target selected
    /// without the reader's knowledge, and an ISO-DEP target then ignores every further REQA (ISO/IEC 14443-4, state PROTOCOL).
    case fresh(emptyPolls: Int = 0)
    /// Only this one is selected, and none was halted: the first REQA sends it back to where the others wait, who answer it;
    /// alone, it answers the next.
    ///
    /// `glances` counts the looks at it that found nothing new.
    case oneSelected(Target, glances: Int)
    /// Some may be halted and deaf to a plain poll.
    case several

    /// This many looks in a row are made without a new field: the next finds also what no plain poll would.
    private static let maximumGlances = 5

    /// After this many polls in a row that found nothing the field is new for the next.
    private static let maximumEmptyPolls = 2

    var isFresh: Bool { if case .fresh(let polls) = self { polls < Self.maximumEmptyPolls } else { false } }

    /// The field after a poll that found nothing.
    var afterEmptyPoll: FieldUse { if case .fresh(let polls) = self { .fresh(emptyPolls: polls + 1) } else { self } }

    var hasOneSelected: Bool { if case .oneSelected = self { true } else { false } }

    /// The field once this target was selected in it.
    func selecting(_ target: Target?) -> FieldUse {
        if case .several = self { return .several }
        // ISO-DEP takes no notice of REQA, and of the other technologies' polls little is certain.
        guard case .nfcA(let found)? = target, !found.isISODEP else { return .several }
        return .oneSelected(.nfcA(found), glances: 0)
    }

    /// The target beside which, or in whose place, a plain poll finds every NFC-A target; nil when none does.
    func beside(_ settled: Set<[UInt8]>?) -> (target: Target, after: FieldUse)? {
        guard let settled, case .oneSelected(let target, let glances) = self, glances < Self.maximumGlances,
            settled.contains(target.identifier)
        else { return nil }
        return (target, .oneSelected(target, glances: glances + 1))
    }
}
