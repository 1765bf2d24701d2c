// Characters of a message that the chip fills in when the message is read — NXP NTAG21x, ASCII mirror function

import Hexadecimal
public import NDEF
public import TagTypes

/// A placeholder in a text or URI for a value that the chip shows.
public enum MirrorPlaceholder: String, CaseIterable, Sendable {
    /// The UID.
    case uid = "{uid:mirror}"
    /// The NFC counter.
    case counter = "{counter:mirror}"

    /// The character that the chip puts between the UID and the counter if it shows both.
    public static let separator = "x"
    /// The options whose values may contain a placeholder.
    public static let options: Set<RecordOption.Name> = [.text, .uri]

    /// The number of characters that the chip shows.
    public var length: Int { self == .uid ? MirrorContent.uid.length : MirrorContent.counter.length }

    /// Returns the values that the placeholders in these options request, or nil if there are no placeholders.
    ///
    /// A chip shows the UID, the counter, or both with an `x` between them, and only in one place.
    public static func content(of options: [RecordOption]) throws(RecordOptionError) -> MirrorContent? {
        let pair = uid.rawValue + separator + counter.rawValue
        var found: [(name: RecordOption.Name, content: MirrorContent)] = []
        for option in options {
            let parts = option.value.split(separator: pair, omittingEmptySubsequences: false)
            found += Array(repeating: (option.name, .uidAndCounter), count: parts.count - 1)
            for part in parts {
                for (placeholder, content) in [(uid, MirrorContent.uid), (counter, .counter)] {
                    let pieces = part.split(separator: placeholder.rawValue, omittingEmptySubsequences: false)
                    found += Array(repeating: (option.name, content), count: pieces.count - 1)
                }
            }
        }
        if let misplaced = found.first(where: { !Self.options.contains($0.name) }) {
            throw .badValue(misplaced.name, reason: "{uid:mirror} and {counter:mirror} belong in --text or --uri.")
        }
        guard let first = found.first else { return nil }
        guard found.count == 1 else {
            throw .badValue(
                first.name, reason: "A chip can show values in only one place; for UID and counter, write \(pair)")
        }
        return first.content
    }

    /// Returns the first text that resembles a placeholder but is not one, and the placeholder that was probably meant.
    ///
    /// Nil if there is no such text.
    public static func nearMiss(in text: String) -> (text: String, meant: MirrorPlaceholder)? {
        for piece in text.split(separator: "{").dropFirst(text.hasPrefix("{") ? 0 : 1) {
            let word = piece.prefix { $0.isLetter }.lowercased()
            guard let meant = [uid, .counter].first(where: { $0.rawValue.dropFirst().prefix { $0.isLetter } == word })
            else { continue }
            let end = piece.firstIndex(of: "}").map { piece.index(after: $0) }
            let found = "{" + piece[..<(end ?? piece.firstIndex { $0.isWhitespace } ?? piece.endIndex)]
            if found != meant.rawValue { return (found, meant) }
        }
        return nil
    }

    /// Returns the options with each placeholder replaced by a filler.
    public static func filled(_ options: [RecordOption], with filler: Character) -> [RecordOption] {
        options.map { option in
            let value = allCases.reduce(option.value) { text, placeholder in
                text.split(separator: placeholder.rawValue, omittingEmptySubsequences: false)
                    .joined(separator: String(repeating: filler, count: placeholder.length))
            }
            return RecordOption(name: option.name, value: value, data: option.data, language: option.language)
        }
    }
}

/// The records to write, and the values that the chip will show in them.
public struct MirroredRecords: Sendable {
    /// The records with `0` in place of the values that the chip shows.
    public let records: [NDEFRecord]
    /// The records with `1` in place of the values that the chip shows.
    ///
    /// The difference between the two lists gives the position of the values, even if a URI was stored in abbreviated
    /// form.
    private let others: [NDEFRecord]
    /// The values that the chip will show, or nil if there are none.
    public let content: MirrorContent?

    /// Creates the records from options.
    ///
    /// Reads the files that the options name, and standard input if an option names it.
    public init(_ options: [RecordOption], language: String) throws(RecordOptionError) {
        try self.init(
            zeros: MirrorPlaceholder.filled(options, with: "0"), ones: MirrorPlaceholder.filled(options, with: "1"),
            content: MirrorPlaceholder.content(of: options), language: language)
    }

    /// Creates the records from options with `0`, or `1`, in place of the values that the chip will show.
    ///
    /// `content` names the values that the chip will show, and is nil if both lists of options are the same.
    public init(
        zeros: [RecordOption], ones: [RecordOption], content: MirrorContent?, language: String
    ) throws(RecordOptionError) {
        let records = try RecordComposer.message(of: zeros, language: language).records
        // Only this record is composed again, because other options may read standard input, which can be read only
        // once.
        var others = records
        if let index = zip(zeros, ones).enumerated().first(where: { $1.0 != $1.1 })?.offset {
            let zero = try RecordComposer.message(of: [zeros[index]], language: language).records
            if let place = zero.first.flatMap({ records.firstIndex(of: $0) }) {
                others.replaceSubrange(
                    place...place, with: try RecordComposer.message(of: [ones[index]], language: language).records)
            }
        }
        self.content = content
        self.records = records
        self.others = others
    }

    /// Returns the values that the chip will show, and their position in a message.
    ///
    /// In this message, these records follow `existing`. Nil if the chip shows no values.
    public func placement(after existing: [NDEFRecord]) throws -> MirrorPlacement? {
        guard let content else { return nil }
        let zeros = try NDEFMessage(records: existing + records).encoded()
        let ones = try NDEFMessage(records: existing + others).encoded()
        let differing = zip(zeros, ones).enumerated().filter { $1.0 != $1.1 }.map(\.offset)
        guard let first = differing.first, let last = differing.last, last - first == content.length - 1 else {
            throw RecordOptionError.orderLost
        }
        return MirrorPlacement(content: content, offset: first)
    }
}

/// The values that a chip shows in its message, and their position.
public struct MirrorPlacement: Hashable, Sendable {
    /// The values that the chip shows.
    public let content: MirrorContent
    /// The offset of the first shown character in the message.
    public let offset: Int

    /// Creates a placement.
    public init(content: MirrorContent, offset: Int) {
        self.content = content
        self.offset = offset
    }

    /// Creates the placement for the settings of a chip, or returns nil if the values are not in the message.
    public init?(_ mirror: MemoryMap.Mirror) {
        guard let content = mirror.content, let offset = mirror.messageOffset else { return nil }
        self.init(content: content, offset: offset)
    }

    /// Returns whether the message contains the values at this position.
    ///
    /// This is the UID if the chip shows it, or otherwise a plausible counter.
    public func isShown(in message: [UInt8], uid: [UInt8]) -> Bool {
        let shown = message.dropFirst(offset).prefix(content.length)
        switch content {
        case .uid: return shown.elementsEqual(uid.hex.utf8)
        case .counter: return shown.allSatisfy { Character(Unicode.Scalar($0)).isHexDigit }
        case .uidAndCounter: return shown.starts(with: (uid.hex + MirrorPlaceholder.separator).utf8)
        }
    }

    /// Returns the message as stored, with `0` in place of the values that the chip shows.
    public func stored(_ message: [UInt8]) -> [UInt8] { filled(message, with: "0") }

    /// Moves the placement to a message that has further records after those of `message`.
    ///
    /// The result is nil if the characters are not within a single record.
    ///
    /// - Returns: the new message as stored, and the placement in it.
    public func moved(
        in message: [UInt8], adding records: [NDEFRecord]
    ) -> (message: [UInt8], placement: MirrorPlacement)? {
        guard offset + content.length <= message.count,
            let zeros = try? NDEFMessage(
                records: NDEFMessage(bytes: filled(message, with: "0")).records + records
            ).encoded(),
            let ones = try? NDEFMessage(
                records: NDEFMessage(bytes: filled(message, with: "1")).records + records
            ).encoded(), zeros.count == ones.count
        else { return nil }
        let differing = zeros.indices.filter { zeros[$0] != ones[$0] }
        guard let first = differing.first, let last = differing.last, last - first == content.length - 1 else {
            return nil
        }
        return (zeros, MirrorPlacement(content: content, offset: first))
    }

    /// Returns the message with a digit in place of the values that the chip shows.
    ///
    /// The separator is kept.
    private func filled(_ message: [UInt8], with digit: Character) -> [UInt8] {
        let digits = String(repeating: digit, count: MirrorContent.uid.length)
        let text =
            switch content {
            case .uid: digits
            case .counter: String(repeating: digit, count: content.length)
            case .uidAndCounter:
                digits + MirrorPlaceholder.separator + String(repeating: digit, count: MirrorContent.counter.length)
            }
        return message.prefix(offset) + Array(text.utf8) + message.dropFirst(offset + content.length)
    }

    /// Returns the bytes of a message without those that the chip shows.
    public func rest(of message: [UInt8]) -> [UInt8] {
        Array(message.prefix(offset) + message.dropFirst(offset + content.length))
    }
}
