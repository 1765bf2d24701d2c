// The system information of an ISO 15693 tag — CoreNFC NFCISO15693SystemInfo, ISO/IEC 15693-3 (Get system information)

public import Foundation

/// The answer to Get System Information.
///
/// A field is −1 if the tag does not report it.
public struct NFCISO15693SystemInfo: Sendable {
    /// The identifier in the byte order in which the tag sends it: 8 bytes, the least significant first.
    ///
    /// ``NFCISO15693Tag/identifier`` has the opposite order.
    public var uniqueIdentifier: Data
    /// The data storage format identifier (DSFID).
    public var dataStorageFormatIdentifier: Int
    /// The application family identifier (AFI).
    public var applicationFamilyIdentifier: Int
    /// The length of a block in bytes.
    public var blockSize: Int
    /// The number of blocks.
    public var totalBlocks: Int
    /// The manufacturer's reference number of the chip.
    public var icReference: Int

    /// Creates an answer.
    public init(
        uniqueIdentifier: Data, dataStorageFormatIdentifier: Int, applicationFamilyIdentifier: Int, blockSize: Int,
        totalBlocks: Int, icReference: Int
    ) {
        self.uniqueIdentifier = uniqueIdentifier
        self.dataStorageFormatIdentifier = dataStorageFormatIdentifier
        self.applicationFamilyIdentifier = applicationFamilyIdentifier
        self.blockSize = blockSize
        self.totalBlocks = totalBlocks
        self.icReference = icReference
    }
}

/// The answer to Extended Get Multiple Block Security Status.
public struct NFCISO15693MultipleBlockSecurityStatus: Sendable {
    /// One status byte for each block.
    public var blockSecurityStatus: [Int]

    /// Creates an answer.
    public init(blockSecurityStatus: [Int]) { self.blockSecurityStatus = blockSecurityStatus }
}
