// The error for a message on a tag that is not valid NDEF

public import NDEF
public import ReaderInterface

/// The error for a message on a tag that breaks the rules of NDEF.
public struct BrokenMessage: ClassifiedError {
    /// The error in the message, with its position.
    public let error: NDEFError

    /// The kind of failure.
    public var kind: FailureKind { .brokenRules }

    /// A description in one sentence.
    public var description: String { "The tag's NDEF message is broken: \(error)" }
}

extension NDEFMessage {
    /// Parses a message from a tag.
    ///
    /// If there are no bytes, the message has no records.
    init(onTag bytes: [UInt8]) throws(BrokenMessage) {
        guard !bytes.isEmpty else {
            self.init(records: [])
            return
        }
        do throws(NDEFError) {
            try self.init(bytes: bytes)
        } catch {
            throw BrokenMessage(error: error)
        }
    }
}
