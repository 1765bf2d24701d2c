// A manufacturer's own command, with its retries — CoreNFC NFCISO15693CustomCommandConfiguration

public import Foundation

/// A custom command of an ISO 15693 tag.
open class NFCISO15693CustomCommandConfiguration: NFCTagCommandConfiguration {
    /// The manufacturer of the chip, as ISO/IEC 7816-6 numbers them; it goes into the request.
    open var manufacturerCode = 0
    /// The command, 0xA0 to 0xDF.
    open var customCommandCode = 0
    /// What follows the manufacturer code in the request.
    open var requestParameters = Data()

    /// Makes a configuration of a command that is not set.
    public required init() {}

    /// Makes a configuration without retries.
    public init(manufacturerCode: Int, customCommandCode: Int, requestParameters: Data?) {
        super.init()
        self.manufacturerCode = manufacturerCode
        self.customCommandCode = customCommandCode
        self.requestParameters = requestParameters ?? Data()
    }

    /// Makes a configuration.
    ///
    /// - Parameters:
    ///   - manufacturerCode: the manufacturer of the chip.
    ///   - customCommandCode: 0xA0 to 0xDF.
    ///   - requestParameters: nil for none.
    ///   - maximumRetries: 0 to 256.
    ///   - retryInterval: seconds between two tries.
    public init(
        manufacturerCode: Int, customCommandCode: Int, requestParameters: Data?, maximumRetries: Int,
        retryInterval: TimeInterval
    ) {
        super.init()
        self.manufacturerCode = manufacturerCode
        self.customCommandCode = customCommandCode
        self.requestParameters = requestParameters ?? Data()
        self.maximumRetries = maximumRetries
        self.retryInterval = retryInterval
    }

    /// Makes an independent configuration with the same values.
    open override func copy(with zone: NSZone? = nil) -> Any {
        let copy = super.copy(with: zone)
        if let copy = copy as? NFCISO15693CustomCommandConfiguration {
            copy.manufacturerCode = manufacturerCode
            copy.customCommandCode = customCommandCode
            copy.requestParameters = requestParameters
        }
        return copy
    }
}
