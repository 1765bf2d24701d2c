// Which pass to ask a phone for — CoreNFC NFCVASCommandConfiguration

public import Foundation

/// A request for one kind of Wallet pass.
open class NFCVASCommandConfiguration: NSObject, NSCopying {
    /// What is asked for.
    public enum Mode: Int, Hashable, Sendable {
        /// Only that the pass's address is shown.
        case urlOnly = 0
        /// The pass's data.
        case normal = 1
    }

    /// What is asked for.
    open var mode: Mode
    /// The kind of pass, such as `pass.com.example.card`.
    open var passTypeIdentifier: String
    /// The address to show; nil in mode ``Mode/normal``.
    open var url: URL?

    /// Makes a request.
    public required init(vasMode mode: Mode, passTypeIdentifier: String, url: URL?) {
        self.mode = mode
        self.passTypeIdentifier = passTypeIdentifier
        self.url = url
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Makes a request, with the label of the newest SDK.
    public convenience init(VASMode mode: Mode, passTypeIdentifier: String, url: URL?) {
        self.init(vasMode: mode, passTypeIdentifier: passTypeIdentifier, url: url)
    }

    /// Makes an independent request with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        Self(vasMode: mode, passTypeIdentifier: passTypeIdentifier, url: url)
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
// The names of iOS 13.
extension NFCVASCommandConfiguration.Mode {
    /// ``urlOnly``.
    @available(*, deprecated, renamed: "NFCVASCommandConfiguration.Mode.urlOnly")
    public static var VASModeURLOnly: NFCVASCommandConfiguration.Mode { .urlOnly }
    /// ``normal``.
    @available(*, deprecated, renamed: "NFCVASCommandConfiguration.Mode.normal")
    public static var VASModeNormal: NFCVASCommandConfiguration.Mode { .normal }
}

/// The first name of ``NFCVASCommandConfiguration/Mode``.
@available(*, deprecated, renamed: "NFCVASCommandConfiguration.Mode")
public typealias VASMode = NFCVASCommandConfiguration.Mode
