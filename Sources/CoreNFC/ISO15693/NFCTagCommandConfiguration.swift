// The retries of a command — CoreNFC NFCTagCommandConfiguration

public import Foundation

/// The retries of a command.
///
/// This is the base class for configurations of individual commands. Values are not checked when they are set: a
/// command with a value out of range fails with code 300.
open class NFCTagCommandConfiguration: NSObject, NSCopying {
    /// The maximum number of times that a command is repeated while the tag does not answer, 0 to 256.
    open var maximumRetries = 0
    /// Seconds between two attempts, 0 to 3600.
    open var retryInterval: TimeInterval = 0

    /// Creates a configuration without retries.
    ///
    /// The initialiser is required so that a copy has the same class as its original.
    public required override init() {}

    /// Creates an independent configuration with the same values.
    open func copy(with zone: NSZone? = nil) -> Any {
        let copy = Self()
        copy.maximumRetries = maximumRetries
        copy.retryInterval = retryInterval
        return copy
    }
}
