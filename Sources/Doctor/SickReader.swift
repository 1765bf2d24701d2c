// The failure of a diagnosis if no reader can be used

public import ReaderInterface
import USBReaders

/// The failure of a program that needs a reader, if no reader can be used.
///
/// The diagnosis explains why.
public struct SickReader: ClassifiedError {
    /// The kind of failure.
    public let kind: FailureKind
    /// The reason why the reader cannot be used, in a sentence.
    public let description: String
    /// Whether the steps of a ``Repair`` may help.
    public let canFix: Bool

    /// Creates the failure.
    ///
    /// - Parameters:
    ///   - problem: the first problem of a diagnosis.
    ///   - canFix: whether the steps of a ``Repair`` may help.
    public init(_ problem: Examination, canFix: Bool) {
        kind = problem.obstacle?.kind ?? .noReader
        let reader = problem.reader.map { "The reader \($0)" } ?? "No reader"
        description = "\(reader) can\(problem.reader == nil ? "" : "not") be used: \(problem.statement)."
        self.canFix = canFix
    }
}

extension Obstacle {
    /// The kind of failure for a program that needs the reader.
    public var kind: FailureKind {
        switch self {
        case .noReader: .noReader
        case .busy: .readerBusy
        case .noPermission: .noPermission
        case .readerFailed: .readerGone
        case .other(is ReaderLabelError): .badFile
        case .other(let error): (error as? any ClassifiedError)?.kind ?? .internal
        }
    }
}
