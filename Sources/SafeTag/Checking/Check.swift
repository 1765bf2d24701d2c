// A message or a tag, checked for problems with phones

package import NDEF
package import PhoneLint
package import ReaderInterface

/// The result of checking whether a message or a tag will cause problems with phones.
package struct Check: Sendable {
    /// The tag, or nil if only a message was checked.
    package let tag: TagReading?
    /// The message, or nil if the tag has no message that can be read.
    package let message: NDEFMessage?
    /// The length of the stored message in bytes.
    package let length: Int
    package let findings: [Finding]
    /// Common tags on the market, and whether the message fits on them.
    ///
    /// The list is empty without a message.
    package let fits: [TagFit]
    package let savings: [Saving]

    package init(_ message: NDEFMessage, storedLength: Int, by lint: PhoneLint) {
        self.init(tag: nil, message: message, length: storedLength, findings: lint.findings(in: message))
    }

    /// Checks a tag.
    ///
    /// - Throws: ``NDEFError`` if its message is invalid.
    package init(_ found: CheckedTag, of target: Target, on reader: String, by lint: PhoneLint) throws {
        let message = try found.bytes.map { $0.isEmpty ? NDEFMessage(records: []) : try NDEFMessage(bytes: $0) }
        let reading = TagReading(
            reader: reader, target: target, chip: found.chip, state: found.state, bytes: found.bytes ?? [],
            message: message ?? NDEFMessage(records: []))
        self.init(
            tag: reading, message: message, length: found.bytes?.count ?? 0,
            findings: lint.findings(in: message, on: found.facts))
    }

    private init(tag: TagReading?, message: NDEFMessage?, length: Int, findings: [Finding]) {
        self.tag = tag
        self.message = message
        self.length = length
        self.findings = findings
        fits = message == nil ? [] : TagFit.all(forLength: length)
        savings = message.map { Saving.all(in: $0, storedLength: length) } ?? []
    }
}
