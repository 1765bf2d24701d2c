// MIFARE Plus EV1 in security level 3, before authentication — NXP MF1P(H)x1, command set and status codes

/// A card that can only report its version.
///
/// All other commands would require keys, and are refused.
struct MIFAREPlusCard: CardApplication {
    private enum Status {
        static let success: UInt8 = 0x90
        static let additionalFrame: UInt8 = 0xAF
        /// The command does not exist, or is not available in this state.
        static let commandUnavailable: UInt8 = 0x0B
        static let lengthError: UInt8 = 0x0C
    }

    private enum Command {
        static let getVersion: UInt8 = 0x60
        static let additionalFrame: UInt8 = 0xAF
    }

    private static let wrappedClass: UInt8 = 0x90
    private static let wrappedStatus: UInt8 = 0x91
    /// The hardware part of the version: vendor NXP, type MIFARE Plus, subtype, version, storage 4 KiB, protocol
    /// ISO/IEC 14443-4.
    ///
    /// `software` has the same fields.
    private static let hardware: [UInt8] = [0x04, 0x02, 0x01, 0x11, 0x00, 0x18, 0x04]
    private static let software: [UInt8] = [0x04, 0x02, 0x01, 0x01, 0x00, 0x18, 0x04]
    /// The batch number and the calendar week and year of production.
    private static let production: [UInt8] = [0xBA, 0x54, 0x90, 0xDB, 0x80, 0x21, 0x14]

    /// The hardware, software and production parts of the version.
    private let version: [[UInt8]]
    /// The index of the version part that the next `AF` returns; 0 if no further part is due.
    private var next = 0
    /// Always 0, because the card never changes its memory.
    let generation = 0

    /// Creates a card with this UID.
    ///
    /// - Parameter uid: 7 bytes, or 4 bytes, which are padded with zeros in the version.
    init(uid: [UInt8]) {
        let padded = uid + [UInt8](repeating: 0, count: max(0, 7 - uid.count))
        version = [Self.hardware, Self.software, padded + Self.production]
    }

    mutating func powerOff() { next = 0 }

    mutating func execute(_ command: [UInt8], stored: @escaping @Sendable (Int) -> Int) -> [UInt8] {
        guard command.first == Self.wrappedClass else {
            guard let code = command.first else { return [Status.lengthError] }
            let (status, data) = execute(code, Array(command.dropFirst()))
            return [status] + data
        }
        guard let command = CommandAPDU(command), command.p1 == 0, command.p2 == 0 else {
            next = 0
            return [Self.wrappedStatus, Status.lengthError]
        }
        let (status, data) = execute(command.ins, command.data)
        return data + [Self.wrappedStatus, status]
    }

    private mutating func execute(_ code: UInt8, _ data: [UInt8]) -> (UInt8, [UInt8]) {
        let part = next
        next = 0
        switch code {
        case Command.getVersion:
            guard data.isEmpty else { return (Status.lengthError, []) }
            return give(0)
        case Command.additionalFrame where part > 0:
            guard data.isEmpty else { return (Status.lengthError, []) }
            return give(part)
        default:
            return (Status.commandUnavailable, [])
        }
    }

    private mutating func give(_ part: Int) -> (UInt8, [UInt8]) {
        let isLast = part == version.count - 1
        next = isLast ? 0 : part + 1
        return (isLast ? Status.success : Status.additionalFrame, version[part])
    }
}
