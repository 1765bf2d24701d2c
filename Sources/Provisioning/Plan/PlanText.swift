// A plan's text, converted to UTF-8 from any supported encoding — Unicode 16.0, 3.10 and 23.8; Microsoft code page 1252

import Foundation

/// The encoding of a plan's text.
public enum PlanEncoding: String, CaseIterable, Hashable, Sendable {
    /// UTF-8, with or without a byte order mark.
    case utf8 = "utf-8"
    /// UTF-16. A byte order mark shows the byte order. Without one, only the byte order that Windows uses is
    /// recognised.
    case utf16 = "utf-16"
    /// UTF-16 with the low byte first.
    case utf16LittleEndian = "utf-16le"
    /// UTF-16 with the high byte first.
    case utf16BigEndian = "utf-16be"
    /// The encoding of Excel's “CSV” in Western Europe and America. It cannot be detected, so the user must name it.
    case windows1252 = "windows-1252"

    /// The usual spelling of the name.
    public var name: String {
        switch self {
        case .utf8: "UTF-8"
        case .utf16: "UTF-16"
        case .utf16LittleEndian: "UTF-16LE"
        case .utf16BigEndian: "UTF-16BE"
        case .windows1252: "Windows-1252"
        }
    }
}

/// The bytes of a plan as UTF-8, piece by piece.
///
/// A byte order mark determines the encoding. Without a mark, the encoding is the one that the user named or, if the
/// user named none, UTF-8.
struct PlanText {
    /// Returns the next piece of the file, which is empty at the end.
    private let source: () throws(PlanError) -> [UInt8]
    private let named: PlanEncoding?
    private var form: Form?
    /// The first bytes of a character whose last bytes are in the next piece.
    private var held: [UInt8] = []
    private var line = 1
    private var sequences = UTF8Sequences()

    private enum Form: Equatable {
        case utf8, windows1252
        case utf16(isBigEndian: Bool)
    }

    /// Creates the text of a plan.
    ///
    /// `named` is the encoding that the user named, or nil if the user named none.
    init(source: @escaping () throws(PlanError) -> [UInt8], named: PlanEncoding? = nil) {
        self.source = source
        self.named = named
    }

    /// The encoding of the text, or nil before the first piece is read.
    var encoding: PlanEncoding? {
        switch form {
        case .utf8: .utf8
        case .utf16: .utf16
        case .windows1252: .windows1252
        case nil: nil
        }
    }

    /// Whether the text read so far was decoded as Windows-1252, but is also valid UTF-8 with a different meaning.
    var isAlsoUTF8: Bool { form == .windows1252 && sequences.isText }

    /// Returns the next piece in UTF-8, which is empty at the end.
    mutating func next() throws(PlanError) -> [UInt8] {
        if form == nil { try begin() }
        while true {
            let piece = try source()
            let bytes = held + piece
            held = []
            let text: [UInt8]
            switch form {
            case .utf8, nil: text = bytes
            case .windows1252: text = try windows1252(bytes)
            case .utf16(let isBigEndian): text = try utf16(bytes, isBigEndian, isAtEnd: piece.isEmpty)
            }
            if !text.isEmpty || piece.isEmpty { return text }
        }
    }

    /// Detects the encoding of the file from its first bytes.
    ///
    /// The bytes after a byte order mark are kept in ``held``.
    private mutating func begin() throws(PlanError) {
        while held.count < Self.signatureLength {
            let piece = try source()
            if piece.isEmpty { break }
            held += piece
        }
        if Self.workbooks.contains(where: held.starts) { throw PlanError(.workbook) }
        let found: (form: Form, encoding: PlanEncoding, length: Int)? =
            switch held.prefix(3) {
            case let mark where mark.starts(with: [0xEF, 0xBB, 0xBF]): (.utf8, .utf8, 3)
            case let mark where mark.starts(with: [0xFE, 0xFF]): (.utf16(isBigEndian: true), .utf16BigEndian, 2)
            case let mark where mark.starts(with: [0xFF, 0xFE]): (.utf16(isBigEndian: false), .utf16LittleEndian, 2)
            default: nil
            }
        if let found, let named, found.encoding != named, found.form == .utf8 || named != .utf16 {
            // Report the byte order as part of the encoding only if the user named it.
            let isOfOrder = named == .utf16LittleEndian || named == .utf16BigEndian || found.form == .utf8
            throw PlanError(line: 1, .otherEncoding(found: isOfOrder ? found.encoding : .utf16, named: named))
        }
        if let found {
            form = found.form
            held.removeFirst(found.length)
        } else {
            form = try unmarkedForm()
        }
    }

    /// Returns the form of a file without a byte order mark, according to the encoding that the user named.
    private func unmarkedForm() throws(PlanError) -> Form {
        switch named {
        case .utf8, nil: return .utf8
        case .windows1252: return .windows1252
        case .utf16LittleEndian: return .utf16(isBigEndian: false)
        case .utf16BigEndian: return .utf16(isBigEndian: true)
        case .utf16:
            guard isLikeLittleEndian else { throw PlanError(line: 1, .noByteOrderMark) }
            return .utf16(isBigEndian: false)
        }
    }

    /// Whether some of the first characters are ASCII or Latin-1 with the low byte first, and none with the high byte
    /// first.
    private var isLikeLittleEndian: Bool {
        let places = stride(from: 0, to: min(held.count, Self.signatureLength) - 1, by: 2)
        return places.contains { held[$0 + 1] == 0 } && !places.contains { held[$0] == 0 }
    }

    /// The signatures of a ZIP archive, such as .xlsx and .ods (APPNOTE 4.3.7), and of a compound file, such as .xls
    /// (MS-CFB 2.2).
    private static let workbooks: [[UInt8]] = [
        [0x50, 0x4B, 0x03, 0x04], [0xD0, 0xCF, 0x11, 0xE0, 0xA1, 0xB1, 0x1A, 0xE1],
    ]
    private static let signatureLength = 8

    private mutating func windows1252(_ bytes: [UInt8]) throws(PlanError) -> [UInt8] {
        var text: [UInt8] = []
        text.reserveCapacity(bytes.count)
        for byte in bytes {
            sequences.take(byte)
            if byte < 0x80 {
                if byte == UInt8(ascii: "\n") { line += 1 }
                text.append(byte)
            } else {
                guard let character = Self.windows1252[Int(byte) - 0x80] else {
                    throw PlanError(line: line, .notEncoded(.windows1252))
                }
                text += character
            }
        }
        return text
    }

    /// The characters for the bytes 80 to FF, in UTF-8, with nil for the five bytes that are not assigned.
    private static let windows1252: [[UInt8]?] = (UInt8(0x80)...0xFF).map { byte in
        guard let character = String(bytes: [byte], encoding: .windowsCP1252),
            let scalar = character.unicodeScalars.first, scalar.properties.generalCategory != .control
        else { return nil }
        return Array(character.utf8)
    }

    private mutating func utf16(
        _ bytes: [UInt8], _ isBigEndian: Bool, isAtEnd: Bool
    ) throws(PlanError) -> [UInt8] {
        var text: [UInt8] = []
        var position = 0
        let unit = { (place: Int) in
            isBigEndian
                ? UInt16(bytes[place]) << 8 | UInt16(bytes[place + 1])
                : UInt16(bytes[place + 1]) << 8 | UInt16(bytes[place])
        }
        while position + 1 < bytes.count {
            let first = unit(position)
            var scalar = Unicode.Scalar(first)
            var length = 2
            if UTF16.isLeadSurrogate(first) {
                guard position + 3 < bytes.count else { break }
                let second = unit(position + 2)
                if UTF16.isTrailSurrogate(second) {
                    scalar = Unicode.Scalar(0x10000 + (UInt32(first & 0x3FF) << 10 | UInt32(second & 0x3FF)))
                    length = 4
                }
            }
            guard let scalar else { throw PlanError(line: line, .notEncoded(.utf16)) }
            if scalar == "\n" { line += 1 }
            text += UTF8.encode(scalar).map(Array.init) ?? []
            position += length
        }
        held = Array(bytes[position...])
        guard held.isEmpty || !isAtEnd else { throw PlanError(line: line, .notEncoded(.utf16)) }
        return text
    }
}

/// Detects whether bytes are UTF-8 text with at least one non-ASCII character.
///
/// Some overlong forms, which are invalid, are not recognised.
private struct UTF8Sequences {
    private var isPossible = true
    private var hasMore = false
    private var missing = 0

    var isText: Bool { isPossible && hasMore }

    mutating func take(_ byte: UInt8) {
        switch byte {
        case 0x80...0xBF:
            isPossible = isPossible && missing > 0
            missing = max(0, missing - 1)
        case 0xC2...0xF4:
            isPossible = isPossible && missing == 0
            missing = byte < 0xE0 ? 1 : byte < 0xF0 ? 2 : 3
            hasMore = true
        default: isPossible = isPossible && missing == 0 && byte < 0x80
        }
    }
}
