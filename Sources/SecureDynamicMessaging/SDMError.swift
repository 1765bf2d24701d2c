// The errors that can occur when a URL is verified

/// An error in a URL, in its template, or in the keys.
public enum SDMError: Error, Hashable, Sendable {
    /// A part that is needed for verification is missing from the URL.
    case incomplete(missing: SDMPart)
    /// The URL has no MAC, but the length of this value in its query is close to that of a MAC.
    case misshapenMAC(name: String, digits: Int)
    /// The URL does not match the template.
    case unlike(template: String)
    /// The template contains this placeholder twice, or together with another placeholder that excludes it, or the
    /// placeholder is unknown.
    case badTemplate(String)
    /// The template lacks `{mac}`, or has neither `{picc}` nor `{uid}`.
    ///
    /// The second case is reported as a missing `{picc}`.
    case templateLacks(SDMPart)
    /// No tag supports this placeholder in this place.
    ///
    /// The signed part ends at `{mac}`, and encrypted file data must be in the signed part, together with UID and
    /// counter.
    case impossible(String)
    /// The text for the encrypted part of the file must have this number of ASCII characters.
    ///
    /// The number is 0 if there is no such part.
    case fileText(length: Int)
    /// The encrypted UID and counter cannot be decrypted with this key.
    ///
    /// The URL is from another tag, or was forged or changed.
    case undecipherable
    /// The MAC does not match the key.
    ///
    /// The URL was forged or changed, or is from another tag.
    case forged
}

/// A part of a URL that the tag fills in.
public enum SDMPart: String, Hashable, Sendable, CaseIterable {
    /// The UID, 14 hexadecimal digits.
    case uid
    /// The read counter (number of taps), 6 hexadecimal digits.
    case counter
    /// The encrypted UID and counter, 32 hexadecimal digits.
    case picc
    /// Encrypted file data, with a number of hexadecimal digits that is a multiple of 32.
    case file
    /// The MAC, 16 hexadecimal digits.
    case mac

    /// The number of hexadecimal digits of the part, or nil if the template defines it.
    var digits: Int? {
        switch self {
        case .uid: 14
        case .counter: 6
        case .picc: 32
        case .file: nil
        case .mac: 16
        }
    }
}

extension SDMError: CustomStringConvertible {
    /// A description in full sentences.
    public var description: String {
        switch self {
        case .forged:
            "The MAC does not match these keys. The URL was forged or changed, or comes from another tag."
        case .undecipherable:
            "The UID cannot be decrypted with these keys. The URL was forged or changed, or comes from another tag."
        case .incomplete(let part): "The URL has no \(part.words)."
        case .misshapenMAC(let name, let digits):
            "The URL has no MAC: \(name) has \(digits) hexadecimal digits, but a MAC has 16."
        case .unlike(let template): "The URL does not match the template \(template)."
        case .badTemplate(let placeholder):
            "The template is wrong at \(placeholder). It needs {mac}, and {picc} or {uid}, each exactly once."
        case .templateLacks(let part):
            "The template has \(part == .picc ? "neither {picc} nor {uid}" : "no {\(part.rawValue)}"). It needs {mac}, and {picc} or {uid}, each exactly once."
        case .impossible(let placeholder):
            "No tag supports \(placeholder) in this place. {signed} and {file:…} come before {mac}, in this order, and {file:…} needs {picc}, or {uid} and {counter}."
        case .fileText(0): "--file-text needs {file:32} in the template, or a larger multiple of 32."
        case .fileText(let length):
            "--file-text needs \(length) ASCII characters, half the number in {file:\(2 * length)}."
        }
    }
}

extension SDMPart {
    fileprivate var words: String {
        switch self {
        case .uid: "UID (14 hexadecimal digits)"
        case .counter: "counter (6 hexadecimal digits)"
        case .picc: "UID: neither encrypted (32 hexadecimal digits) nor in plain text (14)"
        case .file: "encrypted file data"
        case .mac: "MAC (16 hexadecimal digits)"
        }
    }
}
