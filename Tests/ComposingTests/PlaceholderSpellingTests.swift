// A misspelt placeholder is rejected in a URI, and noticed in a text

import Composing
import NDEF
import Testing

@Suite struct PlaceholderSpellingTests {
    @Test(arguments: [
        ("https://e.com/{uid:miror}", "{uid:miror}", "{uid:mirror}"),
        ("https://e.com/{uid:mirror", "{uid:mirror", "{uid:mirror}"),
        ("{UID}", "{UID}", "{uid:mirror}"), ("https://e.com/{counter}x", "{counter}", "{counter:mirror}"),
        ("at {uid:mirror} and {uid}", "{uid}", "{uid:mirror}"),
    ])
    func whatLooksLikeAPlaceholderIsNamed(text: String, found: String, meant: String) throws {
        let near = try #require(MirrorPlaceholder.nearMiss(in: text))
        #expect(near.text == found && near.meant.rawValue == meant)
    }

    @Test(arguments: ["", "{uid:mirror}x{counter:mirror}", "{name}", "a } b { c", "{", "uid:miror}"])
    func whatDoesNotIsLeftAlone(text: String) { #expect(MirrorPlaceholder.nearMiss(in: text) == nil) }

    @Test(arguments: ["https://e.com/{uid:miror}", "https://e.com/{id}", "https://e.com/}"])
    func aURIWithBracesIsRefused(uri: String) {
        for name in [RecordOption.Name.uri, .smartPoster] {
            #expect(throws: RecordOptionError.self) {
                try RecordComposer.message(of: [RecordOption(name: name, value: uri)], language: "en")
            }
        }
    }

    /// The program fills in a UID for each row of a plan, so there is nothing to notice.
    @Test(arguments: ["{uid}", "{uid:lower}", "{{uid}}"]) func aTemplateOfAPlanIsNoMisspelling(text: String) {
        let options = [RecordOption(name: .text, value: text)]
        #expect(RecordNotice.all(on: options, areTemplates: true) == [])
        #expect(RecordNotice.all(on: options).count == 1)
    }
}
