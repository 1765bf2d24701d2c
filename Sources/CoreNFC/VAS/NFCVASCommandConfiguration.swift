// The pass to request from a phone — CoreNFC NFCVASCommandConfiguration

public import Foundation

/// A request for one kind of Wallet pass.
open class NFCVASCommandConfiguration: NSObject, NSCopying {
    /// The kind of request.
    public enum Mode: Int, Hashable, Sendable {
        /// Requests only that the phone shows the address of the pass.
        case urlOnly = 0
        /// Requests the data of the pass.
        case normal = 1
    }

    /// The kind of request.
    open var mode: Mode
    /// The kind of pass, such as `pass.com.example.card`.
    open var passTypeIdentifier: String
    /// The address to show, or nil in mode ``Mode/normal``.
    open var url: URL?

    /// Creates a request.
    public required init(vasMode mode: Mode, passTypeIdentifier: String, url: URL?) {
        self.mode = mode
        self.passTypeIdentifier = passTypeIdentifier
        self.url = url
    }

    // swift-format-ignore: AlwaysUseLowerCamelCase
    /// Creates a request, with the label of the newest SDK.
    public convenience init(VASMode mode: Mode, passTypeIdentifier: String, url: URL?) {
        self.init(vasMode: mode, passTypeIdentifier: passTypeIdentifier, url: url)
    }

    /// Creates an independent request with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        Self(vasMode: mode, passTypeIdentifier: passTypeIdentifier, url: url)
    }
}

// swift-format-ignore: AlwaysUseLowerCamelCase
// The names from iOS 13.
extension NFCVASCommandConfiguration.Mode {
    /// The iOS 13 name of ``urlOnly``.
    @available(*, deprecated, renamed: "NFCVASCommandConfiguration.Mode.urlOnly")
    public static var VASModeURLOnly: NFCVASCommandConfiguration.Mode { .urlOnly }
    /// The iOS 13 name of ``normal``.
    @available(*, deprecated, renamed: "NFCVASCommandConfiguration.Mode.normal")
    public static var VASModeNormal: NFCVASCommandConfiguration.Mode { .normal }
}

/// The original name of ``NFCVASCommandConfiguration/Mode``.
@available(*, deprecated, renamed: "NFCVASCommandConfiguration.Mode")
public typealias VASMode = NFCVASCommandConfiguration.Mode
