// What a bug report must not tell: serial numbers, UIDs, names of people and machines

import Foundation
import USBReaders

/// Words that are taken out of a text.
struct Mask: Sendable {
    /// What stands in a word's place, by word; the longest come first.
    private let words: [(word: String, sign: String)]

    /// Fewer characters would be found in innocent places, too.
    private static let shortest = 3

    /// - Parameters:
    ///   - home: the user's folder, whose name is mostly the user's.
    init(_ survey: ReaderSurvey, host: String, home: String) {
        var words: [(String, String)] = []
        let readers = survey.readers.map(\.reader) + survey.serialPorts.compactMap(\.adapter)
        words += readers.compactMap(\.serial).map { ($0, "SERIAL") }
        // udev writes what a file name cannot hold as an underscore.
        words += readers.compactMap(\.serial).map { ($0.replacing(" ", with: "_"), "SERIAL") }
        let holders = survey.readers.flatMap(\.holders.visible) + survey.serialPorts.flatMap(\.holders.visible)
        let people = [survey.system.user.name] + holders.map(\.userName)
        words += people.compactMap { $0 }.filter { $0 != "root" }.map { ($0, "USER") }
        words += [(home, "HOME"), (host, "HOST")]
        self.words = words.filter { $0.0.count >= Self.shortest && $0.0 != "/root" }
            .sorted { $0.0.count > $1.0.count }.map { (word: $0.0, sign: $0.1) }
    }

    /// The text without them.
    func masked(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            words.reduce(Self.withoutTags(String(line))) { $0.replacing($1.word, with: $1.sign) }
        }
        return lines.joined(separator: "\n")
    }

    /// A line of a log without what a tag said or was told: behind the code of a command that carries it.
    ///
    /// InDataExchange 40, InCommunicateThru 42, InListPassiveTarget 4A, InAutoPoll 60, InSelect 54 and TgInit… 8C, and their answers,
    /// one more (PN532 User Manual, 7).
    private static func withoutTags(_ line: String) -> String {
        var text = line
        for code in ["d4 40", "d4 42", "d4 4a", "d4 60", "d5 41", "d5 43", "d5 4b", "d5 61", "d5 8d"] {
            let both = code.replacing(" ", with: "  ")
            for form in [code, both] {
                guard let place = text.lowercased().range(of: form) else { continue }
                let start = text.index(text.startIndex, offsetBy: text.distance(from: text.startIndex, to: place.upperBound))
                let rest = text[start...]
                let count = rest.split(separator: " ").count
                if count > 0 { text = text[..<start] + " (\(count) bytes)" }
            }
        }
        // What nfctool or libnfc say of a tag in words.
        return text.replacing(/(?i)\b(uid|nfcid1?|idm|pupi)\b([^0-9a-z]*)(?:0x)?[0-9a-f]{2}(?:[ :]*[0-9a-f]{2}){3,9}\b/) {
            "\($0.1)\($0.2)UID"
        }
    }
}
