// A reader that is gone while work goes on, and may come back

public import ReaderInterface

/// Why a reader cannot be worked with any more, or not yet again.
public struct ReaderLoss: Sendable {
    /// One of those that are of the reader.
    public let kind: FailureKind
    /// What happened, in a sentence.
    public let reason: String
    /// The error itself.
    public let error: any Error

    /// Nil for errors of tags, of the user, and all others.
    public init?(_ error: any Error) {
        guard let failure = error as? any ClassifiedError, failure.kind.isOfReader else { return nil }
        (kind, reason, self.error) = (failure.kind, "\(failure)", error)
    }

    /// What happened to the reader of this lasting name, in a sentence.
    ///
    /// A user who unplugged the reader needs no other reason.
    public func reason(for reader: String) -> String {
        isUnplugged || kind == .readerGone && ReaderSpecification(reader).isUnplugged
            ? "The reader is no longer connected." : reason
    }

    /// Whether the error says that the reader was unplugged.
    private var isUnplugged: Bool {
        if case .readerFailed(_, _, _, .unplugged)? = ReaderError(failureIn: error) { true } else { false }
    }

    /// Whether the error ends as soon as the reader is connected.
    var isOfAbsence: Bool {
        switch error {
        case ReaderError.noReader, ReaderError.readerFailed(_, _, _, .noDaemon): true
        default: isUnplugged
        }
    }
}
