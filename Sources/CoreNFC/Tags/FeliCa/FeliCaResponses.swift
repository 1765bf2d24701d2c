// The answers of FeliCa cards — CoreNFC; FeliCa Card User's Manual

public import Foundation

/// The answer to Polling.
public struct NFCFeliCaPollingResponse: Sendable {
    /// The manufacture parameter (PMm), 8 bytes.
    public var manufactureParameter: Data
    /// The requested data, 2 bytes.
    ///
    /// Nil if nothing was requested, or if the card does not return the data.
    public var requestData: Data?

    /// Creates an answer.
    public init(manufactureParameter: Data, requestData: Data?) {
        (self.manufactureParameter, self.requestData) = (manufactureParameter, requestData)
    }
}

/// The status flags of an answer.
///
/// Both flags are zero for success.
public struct NFCFeliCaStatusFlag: Sendable {
    /// The location of the error.
    ///
    /// This is a position in a list of the command, or FF if the error has no position.
    public var statusFlag1: Int
    /// The kind of error.
    public var statusFlag2: Int

    /// Creates status flags.
    public init(statusFlag1: Int, statusFlag2: Int) {
        (self.statusFlag1, self.statusFlag2) = (statusFlag1, statusFlag2)
    }
}

/// The answer to Request Service v2.
///
/// The name is misspelt in Apple's SDK, too.
public struct NFCFeliCaRequsetServiceV2Response: Sendable {
    /// The location of the error.
    public var statusFlag1: Int
    /// The kind of error.
    public var statusFlag2: Int
    /// The algorithms of the keys.
    public var encryptionIdentifier: NFCFeliCaEncryptionId
    /// The versions of the AES keys, 2 bytes each with the low byte first, or nil if there are none.
    public var nodeKeyVersionListAES: [Data]?
    /// The versions of the DES keys, 2 bytes each with the low byte first, or nil if there are none.
    public var nodeKeyVersionListDES: [Data]?

    /// Creates an answer.
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
    /// The location of the error.
    public var statusFlag1: Int
    /// The kind of error.
    public var statusFlag2: Int
    /// The version of the card's basic specification, or nil if there is none.
    ///
    /// The version has 2 bytes in BCD, with the low byte first.
    public var basicVersion: Data?
    /// The versions of the card's options, 2 bytes each, or nil if there are none.
    public var optionVersion: Data?

    /// Creates an answer.
    public init(statusFlag1: Int, statusFlag2: Int, basicVersion: Data?, optionVersion: Data?) {
        (self.statusFlag1, self.statusFlag2) = (statusFlag1, statusFlag2)
        (self.basicVersion, self.optionVersion) = (basicVersion, optionVersion)
    }
}
