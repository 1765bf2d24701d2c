// What FeliCa cards answer — CoreNFC; FeliCa Card User's Manual

public import Foundation

/// The answer to Polling.
public struct NFCFeliCaPollingResponse: Sendable {
    /// PMm, 8 bytes.
    public var manufactureParameter: Data
    /// The requested data, 2 bytes; nil when nothing was requested, or the card does not return it.
    public var requestData: Data?

    /// Makes an answer.
    public init(manufactureParameter: Data, requestData: Data?) {
        (self.manufactureParameter, self.requestData) = (manufactureParameter, requestData)
    }
}

/// The status flags of an answer; both zero for success.
public struct NFCFeliCaStatusFlag: Sendable {
    /// Where the error is: FF, or a place in a list of the command.
    public var statusFlag1: Int
    /// What the error is.
    public var statusFlag2: Int

    /// Makes status flags.
    public init(statusFlag1: Int, statusFlag2: Int) {
        (self.statusFlag1, self.statusFlag2) = (statusFlag1, statusFlag2)
    }
}

/// The answer to Request Service v2; its name is misspelt in Apple's SDK, too.
public struct NFCFeliCaRequsetServiceV2Response: Sendable {
    /// Where the error is.
    public var statusFlag1: Int
    /// What the error is.
    public var statusFlag2: Int
    /// The algorithms of the keys.
    public var encryptionIdentifier: NFCFeliCaEncryptionId
    /// The versions of the AES keys, 2 bytes each, the low one first; nil when there are none.
    public var nodeKeyVersionListAES: [Data]?
    /// The versions of the DES keys, 2 bytes each, the low one first; nil when there are none.
    public var nodeKeyVersionListDES: [Data]?

    /// Makes an answer.
    public init(
        statusFlag1: Int, statusFlag2: Int, encryptionIdentifier: NFCFeliCaEncryptionId, nodeKeyVersionListAES: [Data]?,
        nodeKeyVersionListDES: [Data]?
    ) {
        (self.statusFlag1, self.statusFlag2) = (statusFlag1, statusFlag2)
        self.encryptionIdentifier = encryptionIdentifier
        (self.nodeKeyVersionListAES, self.nodeKeyVersionListDES) = (nodeKeyVersionListAES, nodeKeyVersionListDES)
    }
}

/// The answer to Request Specification Version.
public struct NFCFeliCaRequestSpecificationVersionResponse: Sendable {
    /// Where the error is.
    public var statusFlag1: Int
    /// What the error is.
    public var statusFlag2: Int
    /// The version of the card's basic specification, 2 bytes in BCD, the low one first; nil when there is none.
    public var basicVersion: Data?
    /// The versions of its options, 2 bytes each; nil when there are none.
    public var optionVersion: Data?

    /// Makes an answer.
    public init(statusFlag1: Int, statusFlag2: Int, basicVersion: Data?, optionVersion: Data?) {
        (self.statusFlag1, self.statusFlag2) = (statusFlag1, statusFlag2)
        (self.basicVersion, self.optionVersion) = (basicVersion, optionVersion)
    }
}
