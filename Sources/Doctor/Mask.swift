// The data that a bug report must not contain: serial numbers, UIDs, names of people and machines

import Hexadecimal
import TextBytes
public import USBReaders

/// Words that are replaced in text.
public struct Mask: Sendable {
    /// The words and their replacements, longest words first.
    private let words: [(word: String, sign: String)]

    /// The minimum length of a masked word.
    ///
    /// Shorter words could also occur with another meaning.
    private static let shortest = 3

    /// Creates a mask from the given data only.
    ///
    /// - Parameters:
    ///   - survey: the survey whose readers and people are masked.
    ///   - host: the name of the machine.
    ///   - home: the user's home folder, which is usually named after the user.
    public init(_ survey: ReaderSurvey, host: String, home: String) {
        var words: [(String, String)] = []
        let readers = survey.readers.map(\.reader) + survey.serialPorts.compactMap(\.adapter)
        words += readers.compactMap(\.serial).map { ($0, "SERIAL") }
        // udev replaces characters that are not allowed in file names with underscores.
        words += readers.compactMap(\.serial).map { ($0.replacing(" ", with: "_"), "SERIAL") }
        let found = survey.readers.map(\.holders) + survey.serialPorts.map(\.holders)
        let nodes = survey.readers.map(\.access) + survey.serialPorts.map(\.access)
        let people =
            [survey.system.user.name] + found.flatMap { $0.visible + $0.suspects }.map(\.userName)
            + nodes.map(\.ownership?.ownerName)
        words += people.compactMap { $0 }.filter { $0 != "root" }.map { ($0, "USER") }
        // Programs print the host name with or without the domain.
        words += [(home, "HOME"), (host, "HOST"), (String(host.prefix { $0 != "." }), "HOST")]
        self.words = words.filter { $0.0.count >= Self.shortest && $0.0 != "/root" }
            .sorted { $0.0.count > $1.0.count }.map { (word: $0.0, sign: $0.1) }
    }

    /// Returns the text with each secret word replaced by a placeholder.
    public func masked(_ text: String) -> String {
        var isTags = false
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            words.reduce(Self.withoutTags(String(line), &isTags)) { $0.replacingBytes(of: $1.word, with: $1.sign) }
        }
        return lines.joined(separator: "\n")
    }

    /// The codes of the PN532 commands whose frames contain a tag's data, and of their answers.
    ///
    /// InDataExchange 40, InCommunicateThru 42, InListPassiveTarget 4A, InSelect 54, InAutoPoll 60. The code of an
    /// answer is one higher (PN532 User Manual, 7).
    private static let tagCodes: Set<String> = [
        "d4 40", "d4 42", "d4 4a", "d4 54", "d4 60", "d5 41", "d5 43", "d5 4b", "d5 55", "d5 61",
    ]
    /// The bytes at the start of a frame or an acknowledgement.
    private static let frameStart = "00 00 ff"

    /// Returns a log line without the bytes after a code from `tagCodes`.
    ///
    /// libnfc reads an answer from a serial port in pieces, and logs each piece on its own line. `isTags` is passed
    /// from line to line, and shows whether the bytes of this line belong to a frame with such a code.
    private static func withoutTags(_ line: String, _ isTags: inout Bool) -> String {
        var text = line
        if let heading = line.firstMatch(of: /\b[RT]X:/) {
            let words = line[heading.range.upperBound...].split(separator: " ")
            let bytes = words.map { $0.lowercased() }
            if bytes.joined(separator: " ").contains(frameStart) { isTags = false }
            let code = bytes.indices.dropLast().first { tagCodes.contains("\(bytes[$0]) \(bytes[$0 + 1])") }
            let shown = code.map { $0 + 2 } ?? (isTags ? 0 : bytes.count)
            if code != nil { isTags = true }
            if shown < bytes.count {
                let kept = words.prefix(shown) + ["(\(ByteCount(bytes.count - shown)))"]
                text = line[..<heading.range.upperBound] + " " + kept.joined(separator: " ")
            }
        }
        // udev's port names contain the serial numbers of their adapters, including adapters that are not connected.
        text = text.replacing(/\/dev\/serial\/by-id\/[^\s:,)]+/) { _ in "/dev/serial/by-id/SERIAL" }
        // This masks the UIDs in messages from nfctool and libnfc.
        return text.replacing(/(?i)\b(uid|nfcid1?|idm|pupi)\b([^0-9a-z]*)(?:0x)?[0-9a-f]{2}(?:[ :]*[0-9a-f]{2}){3,9}\b/)
        {
            "\($0.1)\($0.2)UID"
        }
    }
}
