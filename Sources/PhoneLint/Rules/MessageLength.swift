// Messages that are too long for common tags
import Chips

/// A message that is too long for the largest common tag.
struct MessageLength: Rule {
    let name = "messageLength"
    let evidence = "NXP NTAG213/215/216 data sheet: the NTAG216 holds 868 bytes"

    private static let common = ChipModel.ntag216.capacity ?? 0

    func findings(in subject: Subject) -> [Finding] {
        // A message that was read from a tag fits the tag.
        guard subject.tag == nil, subject.length > Self.common else { return [] }
        let chips = TagCapacity.table.filter { $0.capacity >= subject.length }.map(\.chip)
        let severity = chips.isEmpty ? Severity.error : .warning
        let who = chips.isEmpty ? "no common tag" : "only \(chips.joined(separator: ", "))"
        return [
            finding(
                severity, Phone.allCases, "The message is \(subject.length) bytes long: \(who) can hold it.",
                advice: "Put the data on a web page and write its URI.")
        ]
    }
}
