// A tag in a few words for other programs: a line of a table, the environment of a command, what a keyboard types

import NDEF
package import SafeTag
import TagRules
import TagTypes

/// What other programs want to know of a tag first, each as text.
package struct TagSummary: Hashable, Sendable {
    /// In upper-case hexadecimal.
    package let uid: String
    /// `1` to `5`, `mifareClassic`, or empty.
    package let type: String
    /// The chip's name, else the tag type's.
    package let chip: String
    /// The first URI; empty without one.
    package let uri: String
    /// The first text; empty without one.
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
