// A test card with applications — ISO/IEC 7816-4: SELECT, GET RESPONSE, command chaining, extended length

/// A card with applications that are selected by name and answer test commands.
///
/// - `E0` returns the data in the command.
/// - `E1 P1 P2` returns as many bytes as P1 and P2 specify: `00 01 02 …`.
struct ApplicationCard: CardApplication {
    private enum Instruction {
        static let select: UInt8 = 0xA4
        static let getResponse: UInt8 = 0xC0
        static let echo: UInt8 = 0xE0
        static let count: UInt8 = 0xE1
    }

    /// The received part of a command chain that is not complete.
    private struct Chain: Hashable {
        let header: [UInt8]
        var data: [UInt8]
    }

    /// The bit in CLA that announces a further command in the same chain.
    private static let chainingBit: UInt8 = 0x10
    private static let interindustry: UInt8 = 0x00
    private static let proprietary: UInt8 = 0x80
    private static let longestShort = 256

    let configuration: ApplicationCardConfiguration
    /// Always 0, because the card never changes its memory.
    let generation = 0
    private var selected: Int?
    private var chain: Chain?
    /// The rest of an answer, for GET RESPONSE; empty if there is none.
    private var pending: [UInt8] = []

    init(_ configuration: ApplicationCardConfiguration) { self.configuration = configuration }

    mutating func powerOff() { (selected, chain, pending) = (nil, nil, []) }

    mutating func execute(_ command: [UInt8], stored: (Int) -> Int = { $0 }) -> [UInt8] {
        do {
            return try response(to: command)
        } catch {
            return error.bytes
        }
    }

    private mutating func response(to bytes: [UInt8]) throws(StatusWord) -> [UInt8] {
        let pending = pending
        self.pending = []
        guard let command = CommandAPDU(bytes) else {
            chain = nil
            throw .wrongLength
        }
        guard let data = try collect(command) else { return StatusWord.success.bytes }
        switch (command.cla & ~Self.chainingBit, command.ins) {
        case (Self.interindustry, Instruction.select):
            return try select(data, command)
        case (Self.interindustry, Instruction.getResponse):
            guard command.p1 == 0, command.p2 == 0, data.isEmpty else { throw .wrongParameters }
            guard !pending.isEmpty else { throw .conditionsNotSatisfied }
            return handOut(pending, command)
        case (_, Instruction.echo) where selected != nil:
            return try deliver(data, command)
        case (_, Instruction.count) where selected != nil:
            guard data.isEmpty else { throw .wrongLength }
            let count = Int(command.p1) << 8 | Int(command.p2)
            return try deliver((0..<count).map { UInt8(truncatingIfNeeded: $0) }, command)
        default:
            throw .instructionNotSupported
        }
    }

    // MARK: Command chaining

    /// Returns the data of a single command or of a complete chain, or nil while the chain is incomplete.
    private mutating func collect(_ command: CommandAPDU) throws(StatusWord) -> [UInt8]? {
        let cla = command.cla & ~Self.chainingBit
        let started = chain
        chain = nil
        guard cla == Self.interindustry || cla == Self.proprietary else { throw .classNotSupported }
        let header = [cla, command.ins, command.p1, command.p2]
        guard started == nil || started?.header == header else { throw .lastCommandExpected }
        let data = (started?.data ?? []) + command.data
        guard data.count <= configuration.mostCommandData else { throw .wrongLength }
        guard command.cla & Self.chainingBit != 0 else { return data }
        chain = Chain(header: header, data: data)
        return nil
    }

    // MARK: SELECT

    /// Selects the first application whose name begins with `name`, or the next such application after the selected
    /// one.
    private mutating func select(_ name: [UInt8], _ command: CommandAPDU) throws(StatusWord) -> [UInt8] {
        // Only SELECT by name is supported, because the card has no files.
        guard command.p1 == 0x04 else { throw .fileNotFound }
        let candidates: Range<Int>
        switch command.p2 & 0x03 {
        case 0x00: candidates = 0..<configuration.applications.count
        case 0x02: candidates = (selected.map { $0 + 1 } ?? 0)..<configuration.applications.count
        default: throw .wrongParameters
        }
        guard [0x00, 0x0C].contains(command.p2 & 0xFC) else { throw .wrongParameters }
        guard let index = candidates.first(where: { configuration.applications[$0].name.starts(with: name) }) else {
            throw .fileNotFound
        }
        selected = index
        let isSilent = command.p2 & 0x0C == 0x0C
        return try deliver(isSilent ? [] : configuration.applications[index].controlInformation, command)
    }

    // MARK: Answers

    /// Returns an answer, or its first piece, with the status word, in the form that the configuration requires.
    private mutating func deliver(_ data: [UInt8], _ command: CommandAPDU) throws(StatusWord) -> [UInt8] {
        guard data.count <= configuration.mostResponseData else { throw .wrongParameters }
        switch configuration.delivery {
        case .pieces:
            return handOut(data, command)
        case .whole:
            guard let ne = command.ne else { return StatusWord.success.bytes }
            guard ne == data.count || command.wantsAll && ne >= data.count || data.isEmpty else {
                guard data.count <= Self.longestShort else { throw .wrongLength }
                return [0x6C, UInt8(truncatingIfNeeded: data.count)]
            }
            return data + StatusWord.success.bytes
        }
    }

    /// Returns a piece of an answer with the status word.
    ///
    /// If bytes are left, the status word is `61xx`, and GET RESPONSE returns these bytes.
    ///
    /// If the command requests more bytes than are left, only a status word is returned: `6Cxx`, or `6700` if more than
    /// 256 bytes are left.
    private mutating func handOut(_ data: [UInt8], _ command: CommandAPDU) -> [UInt8] {
        let ne = command.ne ?? 0
        if ne > data.count, !command.wantsAll, !data.isEmpty {
            if command.ins == Instruction.getResponse { pending = data }
            return data.count <= Self.longestShort
                ? [0x6C, UInt8(truncatingIfNeeded: data.count)] : StatusWord.wrongLength.bytes
        }
        var size = ne
        if case .pieces(let most) = configuration.delivery { size = min(ne, max(1, min(most, Self.longestShort))) }
        let piece = data.prefix(size)
        pending = Array(data.dropFirst(size))
        guard !pending.isEmpty else { return piece + StatusWord.success.bytes }
        let rest = min(pending.count, Self.longestShort)
        return piece + [0x61, UInt8(truncatingIfNeeded: rest)]
    }
}
