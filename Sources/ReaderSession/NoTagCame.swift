// A wait for tags that came to its end without one

import Foundation
import Hexadecimal
public import ReaderInterface

/// No tag came in time, or none that was wanted.
public struct NoTagCame: Error, Sendable {
    /// The time that was waited.
    public let timeout: Duration
    /// The identifiers of tags that came and were not wanted.
    public let others: [[UInt8]]

    /// Describes a wait without a tag.
    public init(after timeout: Duration?, others: [[UInt8]] = []) {
        self.timeout = timeout ?? .zero
        self.others = others
    }
}

extension NoTagCame: ClassifiedError {
    /// What kind of thing went wrong.
    public var kind: FailureKind { .noTagCame }

    /// What happened, in a sentence.
    public var description: String {
        let time = timeout.inWords
        guard !others.isEmpty else { return "No tag came within \(time)." }
        let uids = others.map(\.hex).sorted().joined(separator: ", ")
        return "The tag did not come within \(time); \(uids) was on the reader."
    }
}
