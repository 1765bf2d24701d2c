// DATA in a record option: text, `@FILE`, `@-`, `hex:…` — Docs/CommandLine.md, Records

import Foundation
import Hexadecimal
import NDEF

/// The forms of DATA in addition to plain text.
///
/// Any other value is text, whatever its first characters are.
public struct DataForms: OptionSet, Hashable, Sendable {
    /// Hexadecimal text (`hex:…`).
    public static let hexText = DataForms(rawValue: 1)
    /// The content of a file (`@FILE`).
    public static let file = DataForms(rawValue: 2)
    /// Standard input (`@-`).
    ///
    /// Without this form, `@-` is an error if `@FILE` is allowed.
    public static let standardInput = DataForms(rawValue: 4)
    /// All forms, as allowed on a command line.
    public static let all: DataForms = [.hexText, .file, .standardInput]

    /// A bit for each form.
    public let rawValue: UInt8

    /// Creates a set from its bits.
    public init(rawValue: UInt8) { self.rawValue = rawValue }
}

/// Reads the DATA of options.
///
/// Standard input is read at most once.
struct DataArgument {
    private var hasReadStandardInput = false

    /// Returns the bytes for which DATA stands.
    mutating func bytes(_ data: String, of option: RecordOption) throws(RecordOptionError) -> [UInt8] {
        let forms = option.data
        if Self.namesFile(data, of: option) {
            let file = InputFile(path: String(data.dropFirst()))
            if file.path == "-" {
                guard forms.contains(.standardInput) else {
                    throw .badValue(option.name, reason: "Standard input cannot be read here. Use a file: @FILE")
                }
                guard !hasReadStandardInput else { throw .standardInputTwice }
                hasReadStandardInput = true
            }
            let bytes: [UInt8]
            do {
                bytes = try file.read()
            } catch {
                throw .input(error)
            }
            // Empty input usually comes from a program that failed. Accepting it would replace the data on a tag with
            // nothing.
            guard file.path != "-" || !bytes.isEmpty else {
                throw .badValue(option.name, reason: "Standard input is empty.")
            }
            return bytes
        }
        guard forms.contains(.hexText), option.name != .wifi, data.utf8.starts(with: "hex:".utf8) else {
            if forms.contains(.file), Self.isFile(data) {
                throw .badValue(
                    option.name, reason: "\(data) is a file. To use its content, write @ before its name: @\(data)")
            }
            return Array(data.utf8)
        }
        do throws(HexTextError) {
            return try HexText.bytes(data.utf8.dropFirst(4))
        } catch {
            throw .badValue(option.name, reason: "The text after hex: is not hexadecimal text: \(error)")
        }
    }

    /// Returns the text for which DATA stands, without line breaks at its end.
    mutating func text(_ data: String, of option: RecordOption) throws(RecordOptionError) -> String {
        var bytes = try bytes(data, of: option)
        while let last = bytes.last, last == 0x0A || last == 0x0D { bytes.removeLast() }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw .badValue(option.name, reason: "\(Self.source(data, of: option)) is not UTF-8 text.")
        }
        return text
    }

    /// Returns the source of DATA, in words that can begin a sentence.
    static func source(_ data: String, of option: RecordOption) -> String {
        namesFile(data, of: option)
            ? InputFile(path: String(data.dropFirst())).source : "The value of \(option.name.option)"
    }

    /// Whether DATA is `@FILE` or `@-`.
    static func namesFile(_ data: String, of option: RecordOption) -> Bool {
        option.data.contains(.file) && data.utf8.first == UInt8(ascii: "@")
    }

    /// Whether a string is the name of a regular file on disk.
    static func isFile(_ name: String) -> Bool {
        var status = stat()
        // Longer names exceed PATH_MAX, and a NUL would end the name early.
        guard (1...4096).contains(name.utf8.count), !name.utf8.contains(0), stat(name, &status) == 0 else {
            return false
        }
        return status.st_mode & S_IFMT == S_IFREG
    }
}
