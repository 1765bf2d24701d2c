// How often a command is tried — CoreNFC NFCTagCommandConfiguration

public import Foundation

/// The retries of a command; the base of the configurations of single commands.
///
/// Values are taken as they are: a command that gets one out of range fails with code 300.
open class NFCTagCommandConfiguration: NSObject, NSCopying {
    /// How often a command without an answer is sent again, 0 to 256.
    open var maximumRetries = 0
    /// Seconds between two tries, 0 to 3600.
    open var retryInterval: TimeInterval = 0

    /// Makes a configuration without retries.
    ///
    /// Required, so that a copy is of the class it is a copy of.
    public required override init() {}

    /// Makes an independent configuration with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = Self()
        copy.maximumRetries = maximumRetries
        copy.retryInterval = retryInterval
        return copy
    }
}
