// A question that nobody answered with yes

public import ReaderInterface

/// Nobody could be asked, so the answer was no.
public struct NotAgreed: ClassifiedError {
    /// Says no.
    public init() {}

    /// What kind of thing went wrong.
    public var kind: FailureKind { .notAgreed }

    /// What happened, in a sentence.
    public var description: String { "Nobody agreed to what cannot be undone. Nothing was changed." }
}
