// The error for a question that was not answered with yes

public import ReaderInterface

/// A change that cannot be undone was not confirmed.
public struct NotAgreed: ClassifiedError {
    /// Creates the error.
    public init() {}

    /// The kind of failure.
    public var kind: FailureKind { .notAgreed }

    /// A description in one sentence.
    public var description: String { "This change cannot be undone and was not confirmed. Nothing was changed." }
}
