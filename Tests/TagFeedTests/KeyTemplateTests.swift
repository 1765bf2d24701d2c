// The text that is typed for a tag

import Testing

@testable import TagFeed

@Suite struct KeyTemplateTests {
    private static let tag = TagSummary(
        uid: "04A1B2C3D4E580", type: "2", chip: "NTAG215", uri: "https://example.com/?a={uid}", text: "Hello")

    @Test(arguments: [
        (#"{uid}\n"#, "04A1B2C3D4E580\n"), ("{uid:lower}", "04a1b2c3d4e580"),
        (#"{n:03}\t{type} {chip}"#, "007\t2 NTAG215"),
        ("{n}:{text}", "7:Hello"), (#"{{uid}} \\ "#, #"{uid} \ "#),
        // Text from a tag is not a template.
        ("{uri}", "https://example.com/?a={uid}"),
    ])
    func placeholdersStandForWhatTheTagSays(template: String, text: String) throws {
        #expect(try KeyTemplate(template).text(for: Self.tag, number: 7) == text)
    }

    @Test(arguments: [
        "", "{", "}", "{}", "{UID}", "{n:5}", "{n:021}", "{password}", #"\x"#, #"a\"#, "Grüße", "\u{1B}[31m",
    ])
    func aTemplateWithAFaultIsRefused(template: String) {
        #expect(throws: KeyTemplate.Problem.self) { try KeyTemplate(template) }
    }

    /// A line break in text would be an Enter for the window that has the focus.
    @Test(arguments: ["rm -rf /\n", "a\tb", "a\rb", "a\u{1B}b", "Grüße", "a\u{85}b", "a\u{2028}b", ""])
    func whatATagSaysIsTypedWholeOrNotAtAll(text: String) throws {
        let tag = TagSummary(uid: "04", type: "2", chip: "NTAG215", uri: "", text: text)
        #expect(throws: KeyTemplate.Problem.self) { try KeyTemplate("{text}").text(for: tag, number: 1) }
        #expect(try KeyTemplate(#"{uid}\n"#).text(for: tag, number: 1) == "04\n")
    }
}
