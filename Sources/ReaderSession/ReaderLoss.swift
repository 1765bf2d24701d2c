// The loss of a reader that may return

public import ReaderInterface

/// The reason why a reader was lost, or why it cannot be used again yet.
public struct ReaderLoss: Sendable {
    /// The kind of failure, which always concerns the reader.
    public let kind: FailureKind
    /// The error as a sentence.
    public let reason: String
    /// The underlying error.
    public let error: any Error

    /// Creates the reason from an error.
    ///
    /// Returns nil if the error does not concern the reader.
    public init?(_ error: any Error) {
        guard let failure = error as? any ClassifiedError, failure.kind.isOfReader else { return nil }
        (kind, reason, self.error) = (failure.kind, "\(failure)", error)
    }

    /// Returns a sentence about the loss of the reader with this lasting name.
    ///
    /// If the user unplugged the reader, no other reason is given.
    public func reason(for reader: String) -> String {
        isUnplugged || kind == .readerGone && ReaderSpecification(reader).isUnplugged
            ? "The reader is no longer connected." : reason
    }

    private var isUnplugged: Bool {
        if case .readerFailed(_, _, _, .unplugged)? = ReaderError(failureIn: error) { true } else { false }
    }

    /// Whether the error ends as soon as the reader is connected or pcscd is running.
    var isOfAbsence: Bool {
        switch error {
        case ReaderError.noReader, ReaderError.readerFailed(_, _, _, .noDaemon): true
        default: isUnplugged
        }
    }
}
