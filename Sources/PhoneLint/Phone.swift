// The phones for which a message or a tag is checked

/// A family of phones.
public enum Phone: String, CaseIterable, Hashable, Sendable {
    /// iPhones, with background tag reading, from iPhone XS on.
    case ios
    /// Android phones, with the tag dispatch system.
    case android

    /// The name to show to users.
    public var name: String {
        switch self {
        case .ios: "iPhone"
        case .android: "Android"
        }
    }
}
