// A tag that was changed while somebody thought about a question

public import ReaderInterface

/// The tag is not as it was when the question about it was asked: the answer is worth nothing.
public struct ChangedWhileAsked: ClassifiedError {
    package init() {}

    /// What kind of thing went wrong.
    public var kind: FailureKind { .tagGone }

    /// What happened, in sentences.
    public var description: String {
        "The tag is not as it was when the question was asked: it was changed in the meantime. Nothing was changed now."
    }
}
