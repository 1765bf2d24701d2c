// A message on a tag that is no NDEF message

public import NDEF
public import ReaderInterface

/// What a tag holds in the place of its message breaks the rules of NDEF.
public struct BrokenMessage: ClassifiedError {
    /// What is broken, and where.
    public let error: NDEFError

    /// What kind of thing went wrong.
    public var kind: FailureKind { .brokenRules }

    /// What happened, in a sentence.
    public var description: String { "The tag's NDEF message is broken: \(error)" }
}

extension NDEFMessage {
    /// A message as a tag holds it; without records for no bytes.
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
