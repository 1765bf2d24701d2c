// Blocks of a Type 3 Tag — NFC Forum T3T, CHECK and UPDATE
import ReaderInterface

/// Polling, Read Without Encryption (CHECK) and Write Without Encryption (UPDATE) on the NDEF service of one activated card.
struct Type3Commands {
    static let blockSize = FeliCaCommands.blockSize
    /// The system code of NFC Forum Type 3 Tags.
    static let ndefSystem: [UInt8] = [0x12, 0xFC]
    /// Service codes, low byte first: 000B reads, 0009 reads and writes.
    private static let readService: [UInt8] = [0x0B, 0x00]
    private static let writeService: [UInt8] = [0x09, 0x00]
    /// A frame's length is one byte.
    private static let maximumFrame = 255
    /// Length, code, IDm, number of services, one service, number of blocks.
    private static let requestHead = 14
    /// Length, code, IDm, status flags, number of blocks.
    private static let answerHead = 13

    private var commands: FeliCaCommands

    init(channel: any TagChannel, idm: [UInt8]) {
        commands = FeliCaCommands(over: channel, idm: idm)
    }

    /// The manufacture ID of the card's NDEF system.
    var idm: [UInt8] {
        get { commands.idm }
        set { commands.idm = newValue }
    }

    /// The most blocks one read can carry on this reader.
    var readLimit: Int {
        max(1, (min(Self.maximumFrame, commands.channel.maxResponseLength) - Self.answerHead) / Self.blockSize)
    }

    /// The most blocks one write of these can carry on this reader.
    func writeLimit(_ last: Int) -> Int {
        max(
            1,
            (min(Self.maximumFrame, commands.channel.maxCommandLength) - Self.requestHead)
                / (Self.blockSize + Self.element(last).count))
    }

    /// Polling for a system, with one time slot.
    ///
    /// - Returns: the IDm, `nil` when no answer came.
    func polling(_ system: [UInt8]) throws(TagError) -> [UInt8]? {
        try commands.polling(systemCode: system)?.idm
    }

    /// Request System Code.
    func systemCodes() throws(TagError) -> [[UInt8]] { try commands.requestSystemCode() }

    /// Read Without Encryption.
    func read(_ blocks: [Int]) throws(TagError) -> [[UInt8]] {
        let (status, data) = try commands.read(services: [Self.readService], blocks: blocks.map(Self.element))
        guard data.count == blocks.count else {
            throw .refused(command: "Read Without Encryption", block: blocks.first, status: status)
        }
        return data
    }

    /// Write Without Encryption.
    func write(_ blocks: [Int], _ data: [UInt8]) throws(TagError) {
        let status = try commands.write(
            services: [Self.writeService], blocks: blocks.map(Self.element), data: [data])
        guard status.isSuccess else {
            throw .refused(command: "Write Without Encryption", block: blocks.first, status: status)
        }
    }

    /// Two bytes for block numbers of one byte, three for others, low byte first; service 0 of the list.
    private static func element(_ block: Int) -> [UInt8] {
        block < 0x100
            ? [0x80, UInt8(truncatingIfNeeded: block)]
            : [0x00, UInt8(truncatingIfNeeded: block), UInt8(truncatingIfNeeded: block >> 8)]
    }
}
