// Status flags of FeliCa tags — Sony, FeliCa Card User's Manual, "Status Flag"; FeliCa Lite-S User's Manual

/// Status flags 1 and 2 of a refusing answer.
struct FeliCaStatus: Error, Hashable {
    let flags: [UInt8]

    private static let notInList: UInt8 = 0xFF

    private init(_ flag1: UInt8, _ flag2: UInt8) { flags = [flag1, flag2] }

    static let numberOfServices = anywhere(.numberOfNodes)
    static let numberOfBlocks = FeliCaStatus(notInList, 0xA2)
    /// An unknown service code, for tags with only one service.
    static let serviceCode = listed(0, .serviceCode)

    /// Returns the flags for a command without lists, or for an error that has no position in a list.
    static func anywhere(_ reason: Reason) -> FeliCaStatus { FeliCaStatus(notInList, reason.rawValue) }

    /// Returns the flags for an error at a position of the block list, as in FeliCa Standard: the position, counted
    /// from 1.
    static func listed(_ index: Int, _ reason: Reason) -> FeliCaStatus {
        FeliCaStatus(UInt8(truncatingIfNeeded: index + 1), reason.rawValue)
    }

    /// Returns the flags for an error at a position of the block list, as in FeliCa Lite-S: the bit whose number is the
    /// position modulo 8.
    static func element(_ index: Int, _ reason: Reason) -> FeliCaStatus {
        FeliCaStatus(1 << UInt8(index % 8), reason.rawValue)
    }

    /// Returns the flags for an error at a position of the block list.
    ///
    /// `code` is the second flag, known from a file.
    static func element(_ index: Int, code: UInt8) -> FeliCaStatus { FeliCaStatus(1 << UInt8(index % 8), code) }

    enum Reason: UInt8 {
        /// More or fewer services or nodes than a command may contain.
        case numberOfNodes = 0xA1
        case serviceOrder = 0xA3
        /// An area, or a service that requires authentication.
        case serviceType = 0xA4
        /// A service that does not permit this operation.
        case access = 0xA5
        case serviceCode = 0xA6
        case accessMode = 0xA7
        case blockNumber = 0xA8
        /// More blocks for a cyclic service than it contains.
        case cyclicWrites = 0xAF
        /// Authentication is needed.
        case notAuthenticated = 0xB1
        /// A message authentication code is wrong, or there is no key for it yet.
        case verification = 0xB2
    }
}
