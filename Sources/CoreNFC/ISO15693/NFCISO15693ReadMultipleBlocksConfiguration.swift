// The blocks to read, the number of blocks per command, and the retries — CoreNFC
// NFCISO15693ReadMultipleBlocksConfiguration

public import Foundation

/// The configuration for reading several blocks of an ISO 15693 tag.
open class NFCISO15693ReadMultipleBlocksConfiguration: NFCTagCommandConfiguration {
    /// The blocks to read.
    open var range = NSRange(location: 0, length: 0)
    /// The number of blocks that one command reads.
    open var chunkSize = 0

    /// Creates a configuration without blocks.
    public required init() {}

    /// Creates a configuration without retries.
    public init(range: NSRange, chunkSize: Int) {
        super.init()
        self.range = range
        self.chunkSize = chunkSize
    }

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - range: the blocks to read.
    ///   - chunkSize: the number of blocks that one command reads.
    ///   - maximumRetries: 0 to 256.
    ///   - retryInterval: seconds between two attempts.
    public init(range: NSRange, chunkSize: Int, maximumRetries: Int, retryInterval: TimeInterval) {
        super.init()
        self.range = range
        self.chunkSize = chunkSize
        self.maximumRetries = maximumRetries
        self.retryInterval = retryInterval
    }

    /// Creates an independent configuration with the same values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone)
        if let copy = copy as? NFCISO15693ReadMultipleBlocksConfiguration {
            copy.range = range
            copy.chunkSize = chunkSize
        }
        return copy
    }
}
