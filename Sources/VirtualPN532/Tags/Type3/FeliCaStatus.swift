// Status flags of FeliCa tags — Sony, FeliCa Card User's Manual, "Status Flag"; FeliCa Lite-S User's Manual

/// Status flags 1 and 2 in the answer to a refused command.
struct FeliCaStatus: Error, Hashable {
    let flags: [UInt8]

    private static let notInList: UInt8 = 0xFF

    private init(_ flag1: UInt8, _ flag2: UInt8) { flags = [flag1, flag2] }

    static let numberOfServices = anywhere(.numberOfNodes)
    static let numberOfBlocks = FeliCaStatus(notInList, 0xA2)
    /// The service code is unknown (for tags with only one service).
    static let serviceCode = listed(0, .serviceCode)

    /// Returns the flags for a command without lists, or for an error that has no position in a list.
    static func anywhere(_ reason: Reason) -> FeliCaStatus { FeliCaStatus(notInList, reason.rawValue) }

    /// Returns the flags for an error at a position in the block list, as FeliCa Standard reports it.
    ///
    /// Flag 1 is the position, counted from 1.
    static func listed(_ index: Int, _ reason: Reason) -> FeliCaStatus {
        FeliCaStatus(UInt8(truncatingIfNeeded: index + 1), reason.rawValue)
    }

    /// Returns the flags for an error at a position in the block list, as FeliCa Lite-S reports it.
    ///
    /// Flag 1 has one bit set. The number of this bit is the position modulo 8.
    static func element(_ index: Int, _ reason: Reason) -> FeliCaStatus {
        FeliCaStatus(1 << UInt8(index % 8), reason.rawValue)
    }

    /// Returns the flags for an error at a position in the block list, as FeliCa Lite-S reports it.
    ///
    /// `code` is status flag 2, as stored in the tag's file.
    static func element(_ index: Int, code: UInt8) -> FeliCaStatus { FeliCaStatus(1 << UInt8(index % 8), code) }

    enum Reason: UInt8 {
        /// The number of services or nodes in the command is not permitted.
        case numberOfNodes = 0xA1
        case serviceOrder = 0xA3
        /// The code belongs to an area, or to a service that requires authentication.
        case serviceType = 0xA4
        case access = 0xA5
        case serviceCode = 0xA6
        case accessMode = 0xA7
        case blockNumber = 0xA8
        /// The command writes more blocks to a cyclic service than the service contains.
        case cyclicWrites = 0xAF
        case notAuthenticated = 0xB1
        /// The MAC is wrong, or there is no key yet to check it with.
        case verification = 0xB2
    }
}
