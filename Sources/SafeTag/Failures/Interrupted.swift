// The error for a change that the user or a program interrupted, and the state in which the tag was left

public import ReaderInterface
public import TagTypes

/// The user or a program ended the work.
public struct Interrupted: ClassifiedError, CustomStringConvertible {
    /// The error with which the current operation failed, or nil if there was none.
    public let cause: (any Error)?
    /// A sentence that describes the progress of the work or reports that nothing was changed.
    ///
    /// Nil if there is none.
    public var remark: String?

    /// Creates the error.
    public init(cause: (any Error)?, remark: String? = nil) {
        self.cause = cause
        self.remark = remark
    }

    /// The cause if it describes the state of the tag; otherwise nil.
    public var told: (any Error)? {
        cause.flatMap { ($0 as? any TellsWhatTheTagHolds)?.tellsWhatTheTagHolds ?? false ? $0 : nil }
    }

    /// The kind of failure.
    public var kind: FailureKind { .interrupted }

    /// A description in sentences.
    public var description: String {
        [told.map { "\($0)" } ?? "Interrupted.", remark].compactMap(\.self).joined(separator: " ")
    }
}

/// An error that may describe the state of the tag when the error occurred.
///
/// If it does, its description says more than that the work was interrupted.
public protocol TellsWhatTheTagHolds: Error {
    /// Whether the error describes the state of the tag.
    var tellsWhatTheTagHolds: Bool { get }
}

extension TellsWhatTheTagHolds {
    /// By default true, because this is the purpose of such errors.
    public var tellsWhatTheTagHolds: Bool { true }
}

extension TagError: TellsWhatTheTagHolds {
    /// Whether a change was started.
    public var tellsWhatTheTagHolds: Bool {
        switch self {
        case .writeInterrupted, .lockInterrupted, .protectionInterrupted: true
        default: false
        }
    }
}
