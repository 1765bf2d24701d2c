// Record options of any value

import Chance
import Composing
import NDEF
import Testing

@Suite struct RecordComposerTests {
    @Test func valuesOfAnyBytesNeverTrap() throws {
        var random = SplitMix(state: 0x7265_636F_7264_7331)
        let pieces = [
            "ssid=", "password=", ";", "\\", "=", ":", ",", "+", "@", "hex:", "é", "\u{301}", "\u{0}", "1", "a/b", "-",
            "\"",
        ]
        var made = 0
        for _ in 0..<2000 {
            let value = (0..<Int.random(in: 0...7, using: &random)).map { _ in
                pieces.randomElement(using: &random) ?? ""
            }.joined()
            // A value with @ could name a file.
            guard !value.contains("@") else { continue }
            for name in RecordOption.Name.allCases {
                do throws(RecordOptionError) {
                    let option = RecordOption(name: name, value: value)
                    made += try RecordComposer.message(of: [option], language: "en").records.count
                } catch {
                    #expect(!error.description.isEmpty)
                }
            }
        }
        #expect(made > 1000)
    }

    @Test func aLanguageIsThatOfTheTextsAfterIt() throws {
        let words = ["--text", "Hi", "--lang", "de", "--text", "Hallo", "--empty", "--lang=fr", "--text", "Salut"]
        let message = try RecordComposer.message(of: RecordOption.all(in: words), language: "de")
        let languages = message.records.compactMap { record in
            if case .text(let text) = record.content { text.language } else { nil }
        }
        #expect(languages == ["de", "de", "fr"])
    }
}
