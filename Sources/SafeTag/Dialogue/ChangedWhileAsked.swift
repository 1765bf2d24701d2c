// A tag that was changed while a question was open

public import ReaderInterface

/// The tag changed while a question about it was open, so the answer does not count.
public struct ChangedWhileAsked: ClassifiedError {
    package init() {}

    /// What kind of thing went wrong.
    public var kind: FailureKind { .tagGone }

    /// What happened, in sentences.
    public var description: String {
        "The tag changed while the question was open. Nothing was written."
    }
}
