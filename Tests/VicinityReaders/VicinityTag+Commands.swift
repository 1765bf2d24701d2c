// The handling of a request by a tag — ISO/IEC 15693-3, Request flags, Mandatory and optional commands

extension VicinityTag {
    private enum Refusal {
        static let notSupported: [UInt8] = [0x01, 0x01]
        static let format: [UInt8] = [0x01, 0x02]
        static let noBlock: [UInt8] = [0x01, 0x10]
        static let alreadyLocked: [UInt8] = [0x01, 0x11]
        static let locked: [UInt8] = [0x01, 0x12]
    }

    private static let done: [UInt8] = [0x00]

    func carryOut(_ frame: [UInt8], _ state: inout State) -> [UInt8]? {
        guard frame.count >= 2, frame[0] & 0x04 == 0 else { return nil }
        let (isSelect, isAddressed) = (frame[0] & 0x10 != 0, frame[0] & 0x20 != 0)
        let code = frame[1]
        var rest = frame[2...]
        if code >= 0xA0 {
            guard rest.popFirst() == uid[1] else { return nil }
        }
        if isAddressed {
            guard rest.starts(with: uid.reversed()) else {
                // The request is for another tag, so this tag is no longer selected.
                if code == 0x25, state.condition == .selected { state.condition = .ready }
                return nil
            }
            rest = rest.dropFirst(8)
        } else if isSelect ? state.condition != .selected : state.condition == .quiet {
            return nil
        }
        return answer(code, Array(rest), hasOption: frame[0] & 0x40 != 0, isAddressed, &state)
    }

    private func answer(
        _ code: UInt8, _ parameters: [UInt8], hasOption: Bool, _ isAddressed: Bool, _ state: inout State
    ) -> [UInt8]? {
        switch code {
        case 0x02:
            if isAddressed { state.condition = .quiet }
            return nil
        case 0x25:
            guard isAddressed else { return nil }
            state.condition = .selected
            return Self.done
        case 0x26:
            state.condition = .ready
            return Self.done
        case 0x20...0x24, 0x2C, 0x2D: return onBlocks(code, parameters, width: 1, hasOption, &state)
        case 0x30...0x34, 0x3C, 0x3D: return onBlocks(code - 0x10, parameters, width: 2, hasOption, &state)
        case 0x27...0x2A: return onFields(code, parameters, &state)
        case 0x2B: return systemInformation(state)
        case 0x35, 0x36:
            // The parameters are an identifier and a message. The flags are "response buffer valid" and "final
            // response".
            return parameters.isEmpty ? Refusal.format : [0x06] + parameters.dropFirst().reversed()
        case 0x39:
            state.buffer = Array(parameters.dropFirst())
            return nil
        case 0x3A: return state.buffer.isEmpty ? [0x01, 0x0F] : [0x02] + state.buffer
        case 0xA0...0xDF: return makersCommands(code, parameters)
        default: return Refusal.notSupported
        }
    }

    private func onBlocks(
        _ code: UInt8, _ parameters: [UInt8], width: Int, _ hasOption: Bool, _ state: inout State
    ) -> [UInt8] {
        func number(_ bytes: ArraySlice<UInt8>) -> Int { bytes.reversed().reduce(0) { $0 << 8 | Int($1) } }
        let isMultiple = [0x23, 0x24, 0x2C, 0x2D].contains(code)
        let headLength = isMultiple ? 2 * width : width
        guard parameters.count >= headLength else { return Refusal.format }
        let first = number(parameters[..<width])
        let count = isMultiple ? number(parameters[width..<2 * width]) + 1 : 1
        let data = Array(parameters[headLength...])
        var blocks = first..<first + count
        guard first < state.blocks.count else { return Refusal.noBlock }
        if blocks.upperBound > state.blocks.count {
            guard state.truncates, code == 0x23 else { return Refusal.noBlock }
            blocks = first..<state.blocks.count
        }
        func security(_ block: Int) -> UInt8 { state.lockedBlocks.contains(block) ? 0x01 : 0x00 }
        switch code {
        case 0x20, 0x23, 0x2D:
            return Self.done + blocks.flatMap { (hasOption ? [security($0)] : []) + state.blocks[$0] }
        case 0x2C: return Self.done + blocks.map(security)
        case 0x22:
            guard state.lockedBlocks.insert(first).inserted else { return Refusal.alreadyLocked }
            return Self.done
        default:
            let size = state.blocks[0].count
            guard data.count == blocks.count * size else { return Refusal.format }
            guard state.lockedBlocks.isDisjoint(with: blocks) else { return Refusal.locked }
            for (index, block) in blocks.enumerated() {
                state.blocks[block] = Array(data[index * size..<(index + 1) * size])
            }
            return Self.done
        }
    }

    /// Handles Write AFI, Lock AFI, Write DSFID and Lock DSFID.
    private func onFields(_ code: UInt8, _ parameters: [UInt8], _ state: inout State) -> [UInt8] {
        let isWrite = code == 0x27 || code == 0x29
        let field = isWrite ? code : code - 1
        guard parameters.count == (isWrite ? 1 : 0) else { return Refusal.format }
        guard !state.lockedFields.contains(field) else { return isWrite ? Refusal.locked : Refusal.alreadyLocked }
        switch code {
        case 0x27: state.afi = parameters[0]
        case 0x29: state.dsfid = parameters[0]
        default: state.lockedFields.insert(field)
        }
        return Self.done
    }

    /// Returns all fields, but the memory only if the number of blocks fits into one byte.
    private func systemInformation(_ state: State) -> [UInt8] {
        let tellsMemory = state.blocks.count <= 256
        let memory = tellsMemory ? [UInt8(state.blocks.count - 1), UInt8(state.blocks[0].count - 1)] : []
        return [0x00, tellsMemory ? 0x0F : 0x0B] + uid.reversed() + [state.dsfid, state.afi] + memory + [0x01]
    }
}
