// A question that was not answered with yes

public import ReaderInterface

/// A change that cannot be undone was not confirmed.
public struct NotAgreed: ClassifiedError {
    /// Says no.
    public init() {}

    /// What kind of thing went wrong.
    public var kind: FailureKind { .notAgreed }

    /// What happened, in a sentence.
    public var description: String { "This change cannot be undone and was not confirmed. Nothing was changed." }
}
