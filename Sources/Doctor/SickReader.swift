// No reader can be used: what a diagnosis ends with

public import ReaderInterface
import USBReaders

/// No reader can be used; the diagnosis says why.
public struct SickReader: ClassifiedError {
    /// What kind of thing went wrong.
    public let kind: FailureKind
    /// What keeps the reader from being used, in a sentence.
    public let description: String
    /// Whether the steps of a ``Repair`` may help.
    public let canFix: Bool

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
    /// What kind of failure it is for a program that wants to use the reader.
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
