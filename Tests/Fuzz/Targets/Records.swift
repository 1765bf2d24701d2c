// Records in words — Docs/CommandLine.md, Records

import Composing
import Hexadecimal
import NDEF

extension FuzzTarget {
    static let records = [
        FuzzTarget("record-options", texts: optionSeeds) { text in
            let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
            // Do not read files here, because an input could name any file.
            let options = lines.compactMap { line -> RecordOption? in
                let words = line.split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
                guard let name = RecordOption.Name(rawValue: String(words[0])), name != .ndef else { return nil }
                let value = words.count > 1 ? String(words[1]) : ""
                return RecordOption(name: name, value: value, data: .hexText)
            }
            guard let message = try? RecordComposer.message(of: options, language: "en") else { return }
            try require(try NDEFMessage(bytes: message.encoded()) == message, "the message differs after encoding")
            for record in message.records {
                if case .malformed(let reason) = record.content { throw Finding("malformed record: \(reason)") }
            }
        },
        FuzzTarget("option-words", texts: ["--uri\u{0}https://example.com\u{0}--lang=de\u{0}--text\u{0}Hi"]) { text in
            _ = try? RecordOption.all(in: text.split(separator: "\u{0}").map(String.init))
            _ = MirrorPlaceholder.nearMiss(in: text)
            _ = UIDText.bytes(text)
        },
        FuzzTarget("hex-text", texts: ["D1 01 04", "d1:01\n04", "0"]) { text in
            guard let bytes = try? HexText.bytes(Array(text.utf8)) else { return }
            try require(try HexText.bytes(Array(bytes.spacedHex.utf8)) == bytes, "the bytes differ after writing")
        },
    ]

    private static let optionSeeds = [
        "uri https://example.com\ntext Hello", "smart-poster https://example.com\ntitle Hi", "mime text/plain=Hello",
        "external example.com:x=hex:0A0B", "app com.example.app", "wifi ssid=Guests;password=correct horse;auth=wpa2",
        "wifi WIFI:S:Guests;T:WPA;P:correct horse;;", "bluetooth 01:02:03:04:05:06;name=Box",
        "vcard name=Jo Doe;tel=+49301234;mail=a@example.com;org=X\\;Y", "tel +49301234",
        "mail a@example.com;subject=Hi;body=x", "sms +49301234=On my way", "geo 52.5163,13.3777", "empty",
        "uri https://example.com/{uid:mirror}x{counter:mirror}", "calendar BEGIN:VCALENDAR",
    ]
}
