// The rules files of udev — udev(7)

@preconcurrency import Glibc
import Hexadecimal

/// The lines in rules files that match the vendor ID of a USB device.
///
/// Files that contain none of the given vendor IDs are left out.
struct UdevRules {
    private static let folders = ["/etc", "/run", "/usr/local/lib", "/usr/lib", "/lib"].map { "\($0)/udev/rules.d" }
    /// The keys that match a device's IDs: the device's own attribute, a parent's attribute, and udev's property.
    private static let vendorKeys: Set<String> = ["ATTR{idVendor}", "ATTRS{idVendor}", "ENV{ID_VENDOR_ID}"]
    private static let productKeys: Set<String> = ["ATTR{idProduct}", "ATTRS{idProduct}", "ENV{ID_MODEL_ID}"]

    private struct Line {
        let file: String
        let number: Int
        let modified: Int
        let terms: [UdevTerm]
    }

    private let lines: [Line]

    init(root: SystemRoot, vendors: Set<UInt16>) {
        // There are thousands of lines for cameras and players, so files without any of the IDs are not parsed.
        let numbers = vendors.map(\.hex).flatMap { [$0, $0.lowercased()] }
        lines = root.files(in: Self.folders, ending: ".rules").flatMap { file -> [Line] in
            guard root.contains(anyOf: numbers, in: file) else { return [] }
            let modified = root.modified(file)
            return root.numberedLines(file).compactMap { number, text -> Line? in
                let terms = text.hasPrefix("#") ? [] : UdevTerm.terms(of: text)
                guard terms.contains(where: { Self.vendorKeys.contains($0.key) && $0.sign == "==" }) else { return nil }
                return Line(file: file, number: number, modified: modified, terms: terms)
            }
        }
    }

    /// Returns the lines that match a model, in the order in which udev applies them.
    func naming(vendor: UInt16, product: UInt16) -> [UdevRule] {
        lines.compactMap { line in
            let matches = line.terms.filter { $0.sign == "==" }
            let vendors = matches.filter { Self.vendorKeys.contains($0.key) }
            let products = matches.filter { Self.productKeys.contains($0.key) }
            guard vendors.allSatisfy({ $0.matches(vendor) }), products.allSatisfy({ $0.matches(product) }) else {
                return nil
            }
            func value(_ key: String) -> String? {
                line.terms.last { $0.key == key && ($0.sign == "=" || $0.sign == ":=") }?.value
            }
            return UdevRule(
                file: line.file, line: line.number, vendor: vendor, product: products.isEmpty ? nil : product,
                mode: value("MODE").flatMap { UInt16($0, radix: 8) }, group: value("GROUP"),
                tagsUaccess: line.terms.contains { $0.key == "TAG" && $0.sign == "+=" && $0.value == "uaccess" },
                appliesUaccess: line.terms.contains {
                    $0.key == "RUN{builtin}" && $0.sign == "+=" && $0.value == "uaccess"
                },
                modified: line.modified)
        }
    }
}

/// A term in a rule, for example `ATTRS{idVendor}=="072f"`.
struct UdevTerm: Equatable {
    let key: String
    let sign: String
    let value: String
    let ignoresCase: Bool

    /// Returns the terms in a line, up to the first invalid one.
    static func terms(of line: String) -> [UdevTerm] {
        var terms: [UdevTerm] = []
        var rest = Substring(line)
        while true {
            rest = rest.drop { $0.isWhitespace || $0 == "," }
            let key = rest.prefix { $0.isLetter || $0.isNumber || "{}_-.*/$".contains($0) }
            rest = rest.dropFirst(key.count).drop(while: \.isWhitespace)
            let sign = rest.prefix { "=!+-:".contains($0) }
            rest = rest.dropFirst(sign.count).drop(while: \.isWhitespace)
            // `i"…"` ignores case, and `e"…"` contains escapes (udev(7)).
            let ignoresCase = rest.first == "i"
            if rest.first == "i" || rest.first == "e" { rest = rest.dropFirst() }
            guard !key.isEmpty, !sign.isEmpty, rest.first == "\"" else { return terms }
            let value = rest.dropFirst().prefix { $0 != "\"" }
            rest = rest.dropFirst(value.count + 1)
            guard rest.first == "\"" else { return terms }
            rest = rest.dropFirst()
            terms.append(UdevTerm(key: String(key), sign: String(sign), value: String(value), ignoresCase: ignoresCase))
        }
    }

    /// Whether the term's pattern matches an ID in the lower-case format of sysfs.
    ///
    /// The pattern may contain alternatives separated by `|`.
    func matches(_ number: UInt16) -> Bool {
        (ignoresCase ? value.lowercased() : value).split(separator: "|").contains {
            fnmatch(String($0), number.hex.lowercased(), 0) == 0
        }
    }
}

extension SystemRoot {
    /// Whether a text file contains any of the words, even as a part of other words.
    fileprivate func contains(anyOf words: [String], in file: String) -> Bool {
        guard !words.isEmpty, let content = bytes(file, limit: Self.settingsLimit) else { return false }
        return (content + [0]).withUnsafeBytes { content in
            let text = content.assumingMemoryBound(to: CChar.self).baseAddress
            return words.contains { word in text.map { strstr($0, word) != nil } ?? false }
        }
    }
}
