// The error for a tag that changed while a question was open

public import ReaderInterface

/// The tag changed while a question about it was open, so the answer does not count.
public struct ChangedWhileAsked: ClassifiedError {
    package init() {}

    /// The kind of failure.
    public var kind: FailureKind { .tagGone }

    /// A description in sentences.
    public var description: String {
        "The tag changed while the question was open. Nothing was written."
    }
}
