// A message or a tag, and what phones make of it

package import NDEF
package import PhoneLint
package import ReaderInterface

/// A message, or a tag with or without one, and what phones make of it.
package struct Check: Sendable {
    /// The tag, where there is one.
    package let tag: TagReading?
    /// The message; nil when the tag has none to read.
    package let message: NDEFMessage?
    /// Its length in bytes, as found.
    package let length: Int
    /// What phones will stumble over.
    package let findings: [Finding]
    /// The tags that shops sell, and whether the message fits them; none without a message.
    package let fits: [TagFit]
    /// How the message can be shorter.
    package let savings: [Saving]

    /// Judges a message.
    package init(_ message: NDEFMessage, storedLength: Int, by lint: PhoneLint) {
        self.init(tag: nil, message: message, length: storedLength, findings: lint.findings(in: message))
    }

    /// Judges a tag.
    ///
    /// - Throws: ``NDEFError`` when its message is none.
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
