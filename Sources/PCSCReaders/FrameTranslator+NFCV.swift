// Requests for NFC-V tags — ISO/IEC 15693-3, 7.3 (request flags), 10 (commands); the readers' own commands

extension FrameTranslator {
    /// Returns the plan for a request on the best route that supports it.
    ///
    /// Nil if no route does.
    func nfcV(_ command: [UInt8], uid: [UInt8]) -> FramePlan? {
        dialect.nfcV.lazy.compactMap { route in
            switch route {
            case .transparent where hasNoSession: nil
            case .transparent: Self.request(command)
            case .passThrough(let instruction, let codes): passThrough(command, uid, instruction, codes)
            case .blocks: blocks(command, uid)
            }
        }.first
    }

    /// The commands that a tag answers immediately.
    ///
    /// All other commands may program its memory. These are inventory, stay quiet, read single and multiple, select,
    /// reset, system information, security status, and their extended forms — ISO/IEC 15693-3, table of command codes.
    private static let quickCodes: Set<UInt8> = [
        0x01, 0x02, 0x20, 0x23, 0x25, 0x26, 0x2B, 0x2C, 0x30, 0x33, 0x3B, 0x3C,
    ]

    private static func request(_ command: [UInt8]) -> FramePlan? {
        guard command.count >= 2 else { return nil }
        return .frame(.nfcV, isSlow: !quickCodes.contains(command[1]))
    }

    /// Returns the code and parameters of a request whose flags the reader adds itself.
    ///
    /// Nil for other requests. The flags of such a request are `02` (high data rate) or `22` (high data rate, addressed
    /// to the target).
    private func plainRequest(_ command: [UInt8], _ uid: [UInt8]) -> (code: UInt8, parameters: [UInt8])? {
        guard command.count >= 2 else { return nil }
        let rest = Array(command[2...])
        switch command[0] {
        case 0x02: return (command[1], rest)
        case 0x22 where rest.starts(with: uid.reversed()): return (command[1], Array(rest.dropFirst(uid.count)))
        default: return nil
        }
    }

    private func passThrough(
        _ command: [UInt8], _ uid: [UInt8], _ instruction: UInt8, _ codes: Set<UInt8>?
    ) -> FramePlan? {
        guard let (code, parameters) = plainRequest(command, uid), codes?.contains(code) ?? true,
            parameters.count < 0xFF
        else { return nil }
        let head: [UInt8] = [0xFF, instruction, 0x00, 0x00, UInt8(1 + parameters.count), code]
        return .apdus([head + parameters], .nfcV)
    }

    /// Plans READ SINGLE BLOCK, WRITE SINGLE BLOCK, READ MULTIPLE BLOCKS and their extended forms.
    private func blocks(_ command: [UInt8], _ uid: [UInt8]) -> FramePlan? {
        guard let (code, parameters) = plainRequest(command, uid) else { return nil }
        let isExtended = code & 0xF0 == 0x30
        let addressLength = isExtended ? 2 : 1
        guard parameters.count >= addressLength else { return nil }
        let first = isExtended ? UInt16(parameters[0]) | UInt16(parameters[1]) << 8 : UInt16(parameters[0])
        let rest = Array(parameters[addressLength...])
        switch (code, rest.count) {
        case (0x20, 0), (0x30, 0): return .blocks(.read(first: first, count: 1))
        case (0x23, 1), (0x33, 2):
            let count = 1 + Int(rest[0]) + (rest.count > 1 ? Int(rest[1]) << 8 : 0)
            guard Int(first) + count <= 0x1_0000 else { return nil }
            return .blocks(.read(first: first, count: count))
        case (0x21, 1...32), (0x31, 1...32): return .blocks(.write(first, rest))
        default: return nil
        }
    }
}
