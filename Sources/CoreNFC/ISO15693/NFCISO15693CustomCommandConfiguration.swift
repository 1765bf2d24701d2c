// A manufacturer-specific command with its retries — CoreNFC NFCISO15693CustomCommandConfiguration

public import Foundation

/// A custom command for an ISO 15693 tag.
open class NFCISO15693CustomCommandConfiguration: NFCTagCommandConfiguration {
    /// The manufacturer code of the chip, as in ISO/IEC 7816-6.
    ///
    /// The request contains it.
    open var manufacturerCode = 0
    /// The command code, 0xA0 to 0xDF.
    open var customCommandCode = 0
    /// The bytes after the manufacturer code in the request.
    open var requestParameters = Data()

    /// Creates a configuration without a command.
    public required init() {}

    /// Creates a configuration without retries.
    public init(manufacturerCode: Int, customCommandCode: Int, requestParameters: Data?) {
        super.init()
        self.manufacturerCode = manufacturerCode
        self.customCommandCode = customCommandCode
        self.requestParameters = requestParameters ?? Data()
    }

    /// Creates a configuration.
    ///
    /// - Parameters:
    ///   - manufacturerCode: the manufacturer code of the chip.
    ///   - customCommandCode: the command code, 0xA0 to 0xDF.
    ///   - requestParameters: the parameters, or nil for none.
    ///   - maximumRetries: 0 to 256.
    ///   - retryInterval: seconds between two attempts.
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

    /// Creates an independent configuration with the same values.
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
