// The error for a wait in which no wanted tag came

import Foundation
import Hexadecimal
public import ReaderInterface

/// The error for a wait in which no tag came, or only tags that were not wanted.
public struct NoTagCame: Error, Sendable {
    /// The duration of the wait.
    public let timeout: Duration
    /// The identifiers of the tags that were not wanted, or an empty list if no tag came.
    public let others: [[UInt8]]

    /// Creates the error for a wait without a tag.
    public init(after timeout: Duration?, others: [[UInt8]] = []) {
        self.timeout = timeout ?? .zero
        self.others = others
    }
}

extension NoTagCame: ClassifiedError {
    /// The kind of failure.
    public var kind: FailureKind { .noTagCame }

    /// The error as a sentence.
    public var description: String {
        let time = timeout.inWords
        guard !others.isEmpty else { return "No tag was found within \(time)." }
        let uids = others.map(\.hex).sorted().joined(separator: ", ")
        return "The requested tag was not found within \(time). Other tags on the reader: \(uids)."
    }
}
