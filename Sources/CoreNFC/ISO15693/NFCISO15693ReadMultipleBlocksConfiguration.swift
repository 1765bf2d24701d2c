// Which blocks to read, how many at a time, with the retries — CoreNFC NFCISO15693ReadMultipleBlocksConfiguration

public import Foundation

/// A reading of several blocks of an ISO 15693 tag.
open class NFCISO15693ReadMultipleBlocksConfiguration: NFCTagCommandConfiguration {
    /// The blocks.
    open var range = NSRange(location: 0, length: 0)
    /// How many blocks one command reads.
    open var chunkSize = 0

    /// Makes a configuration of no blocks.
    public required init() {}

    /// Makes a configuration without retries.
    public init(range: NSRange, chunkSize: Int) {
        super.init()
        self.range = range
        self.chunkSize = chunkSize
    }

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - range: the blocks.
    ///   - chunkSize: how many blocks one command reads.
    ///   - maximumRetries: 0 to 256.
    ///   - retryInterval: seconds between two tries.
    public init(range: NSRange, chunkSize: Int, maximumRetries: Int, retryInterval: TimeInterval) {
        super.init()
        self.range = range
        self.chunkSize = chunkSize
        self.maximumRetries = maximumRetries
        self.retryInterval = retryInterval
    }

    /// Makes an independent configuration with the same values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone)
        if let copy = copy as? NFCISO15693ReadMultipleBlocksConfiguration {
            copy.range = range
            copy.chunkSize = chunkSize
        }
        return copy
    }
}
