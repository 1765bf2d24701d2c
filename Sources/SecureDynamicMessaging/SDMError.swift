// Why the address of a tapped tag cannot be verified

/// What is wrong with an address, or with the keys for it.
public enum SDMError: Error, Hashable, Sendable {
    /// There is no authentication code in the address, or nothing that says which tag it is of.
    case incomplete(missing: SDMPart)
    /// The address does not follow the template.
    case unlike(template: String)
    /// A template that says something twice, that lacks a part, or has an unknown one; the placeholder.
    case badTemplate(String)
    /// A placeholder where no tag can have it: a tag signs what ends at `{mac}`, and enciphers only what it signs, together with
    /// UID and counter.
    case impossible(String)
    /// The text for the enciphered part of the file must be ASCII characters of this number; 0 where there is no such part.
    case fileText(length: Int)
    /// The enciphered identity is none under this key: it is of another tag, or was changed.
    case undecipherable
    /// The authentication code is not that of the tag's key: the address was made up or changed, or is of another tag.
    case forged
}

/// A part of an address that the tag fills in.
public enum SDMPart: String, Hashable, Sendable, CaseIterable {
    /// The UID, 14 hexadecimal digits.
    case uid
    /// How often the tag was tapped, 6 hexadecimal digits.
    case counter
    /// UID and counter, enciphered: 32 hexadecimal digits.
    case picc
    /// A part of the file, enciphered: a multiple of 32 hexadecimal digits.
    case file
    /// The authentication code, 16 hexadecimal digits.
    case mac

    /// Its hexadecimal digits; nil where that is up to the template.
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
