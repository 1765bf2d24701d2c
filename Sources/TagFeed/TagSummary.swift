// The main facts about a tag for other programs, as a line in a table, in the environment of a command, or as typed
// text

import NDEF
package import SafeTag
import TagRules
import TagTypes

/// The facts about a tag that other programs need most, each as text.
package struct TagSummary: Hashable, Sendable {
    package let uid: String
    /// The tag type: `1` to `5` or `mifareClassic`.
    ///
    /// Empty if the type is not known.
    package let type: String
    /// The name of the chip, or of the tag type if the chip is not known.
    package let chip: String
    /// The first URI in the message.
    ///
    /// Empty if there is none.
    package let uri: String
    /// The text of the first Text record.
    ///
    /// Empty if there is none.
    package let text: String
}

extension TagSummary {
    package init(_ reading: TagReading) {
        uid = reading.uid
        type = TagDetection.tagType(of: reading.target).type.map(Self.name) ?? ""
        chip = reading.name
        uri = reading.message.firstURI ?? ""
        text =
            reading.message.records.lazy.compactMap { record in
                if case .text(let content) = record.content { content.text } else { nil }
            }.first ?? ""
    }

    private static func name(of type: TagType) -> String {
        switch type {
        case .type1: "1"
        case .type2: "2"
        case .type3: "3"
        case .type4: "4"
        case .type5: "5"
        case .mifareClassic: "mifareClassic"
        }
    }
}
