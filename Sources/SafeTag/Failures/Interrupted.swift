// A change that was ended from outside: in which state things are

public import ReaderInterface
public import TagTypes

/// The user, or a program, ended the work.
public struct Interrupted: ClassifiedError, CustomStringConvertible {
    /// What was under way and failed by it.
    public let cause: (any Error)?
    /// How far the work came, or that it changed nothing: a sentence.
    public var remark: String?

    /// Describes an end from outside.
    public init(cause: (any Error)?, remark: String? = nil) {
        self.cause = cause
        self.remark = remark
    }

    /// The cause, where that says more than "cancelled".
    public var told: (any Error)? {
        cause.flatMap { ($0 as? any TellsWhatTheTagHolds)?.tellsWhatTheTagHolds ?? false ? $0 : nil }
    }

    /// What kind of thing went wrong.
    public var kind: FailureKind { .interrupted }

    /// What happened, in sentences.
    public var description: String {
        [told.map { "\($0)" } ?? "Interrupted.", remark].compactMap(\.self).joined(separator: " ")
    }
}

/// An error that may describe the state in which it left the tag.
///
/// It says more than that the work was cancelled.
public protocol TellsWhatTheTagHolds: Error {
    /// Whether it does.
    var tellsWhatTheTagHolds: Bool { get }
}

extension TellsWhatTheTagHolds {
    /// True: that is what such errors are for.
    public var tellsWhatTheTagHolds: Bool { true }
}

extension TagError: TellsWhatTheTagHolds {
    /// Whether a change was begun.
    public var tellsWhatTheTagHolds: Bool {
        switch self {
        case .writeInterrupted, .lockInterrupted, .protectionInterrupted: true
        default: false
        }
    }
}
