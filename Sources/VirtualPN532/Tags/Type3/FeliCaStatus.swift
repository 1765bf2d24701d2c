// Status flags of FeliCa tags — Sony, FeliCa Card User's Manual, "Status Flag"; FeliCa Lite-S User's Manual

/// Status flags 1 and 2 of an answer that refuses.
struct FeliCaStatus: Error, Hashable {
    let flags: [UInt8]

    private static let notInList: UInt8 = 0xFF

    private init(_ flag1: UInt8, _ flag2: UInt8) { flags = [flag1, flag2] }

    static let numberOfServices = anywhere(.numberOfNodes)
    static let numberOfBlocks = FeliCaStatus(notInList, 0xA2)
    /// The one service of a tag that has no more.
    static let serviceCode = listed(0, .serviceCode)

    /// A command without lists, or an error that is not at a place in one.
    static func anywhere(_ reason: Reason) -> FeliCaStatus { FeliCaStatus(notInList, reason.rawValue) }

    /// An error at a position of the block list, counted from 1, as FeliCa Standard tells it.
    static func listed(_ index: Int, _ reason: Reason) -> FeliCaStatus {
        FeliCaStatus(UInt8(truncatingIfNeeded: index + 1), reason.rawValue)
    }

    /// An error at a position of the block list as FeliCa Lite-S tells it: its bit, modulo 8.
    static func element(_ index: Int, _ reason: Reason) -> FeliCaStatus {
        FeliCaStatus(1 << UInt8(index % 8), reason.rawValue)
    }

    enum Reason: UInt8 {
        /// More or fewer services or nodes than a command may name.
        case numberOfNodes = 0xA1
        case serviceOrder = 0xA3
        /// An area, or a service that wants authentication.
        case serviceType = 0xA4
        /// A service that does not permit this.
        case access = 0xA5
        case serviceCode = 0xA6
        case accessMode = 0xA7
        case blockNumber = 0xA8
        /// More blocks for a cyclic service than it has.
        case cyclicWrites = 0xAF
        /// Authentication is needed.
        case notAuthenticated = 0xB1
        /// A message authentication code is wrong, or has no key yet.
        case verification = 0xB2
    }
}
