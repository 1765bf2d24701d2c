// Reading and writing blocks of a Type 3 Tag — NFC Forum T3T, CHECK and UPDATE
import ReaderInterface

/// The commands for the NDEF service of one activated card.
///
/// The commands are Polling, Request System Code, Read Without Encryption (CHECK), and Write Without Encryption
/// (UPDATE).
struct Type3Commands {
    static let blockSize = FeliCaCommands.blockSize
    /// The system code of NFC Forum Type 3 Tags.
    static let ndefSystem: [UInt8] = [0x12, 0xFC]
    /// The service codes, low byte first: 000B for reading, 0009 for reading and writing.
    private static let readService: [UInt8] = [0x0B, 0x00]
    private static let writeService: [UInt8] = [0x09, 0x00]
    /// The maximum length of a frame, whose length field has one byte.
    private static let maximumFrame = 255
    /// The number of bytes before the block list: length, code, IDm, number of services, one service, number of blocks.
    private static let requestHead = 14
    /// The number of bytes before the data: length, code, IDm, status flags, number of blocks.
    private static let answerHead = 13

    private var commands: FeliCaCommands

    init(channel: any TagChannel, idm: [UInt8]) {
        commands = FeliCaCommands(over: channel, idm: idm)
    }

    /// The manufacture ID (IDm) in the NDEF system of the card.
    var idm: [UInt8] {
        get { commands.idm }
        set { commands.idm = newValue }
    }

    /// The maximum number of blocks that one command can read with this reader.
    var readLimit: Int {
        max(1, (min(Self.maximumFrame, commands.channel.maxResponseLength) - Self.answerHead) / Self.blockSize)
    }

    /// Returns the maximum number of blocks that one command can write with this reader, if `last` is the highest block
    /// number.
    func writeLimit(_ last: Int) -> Int {
        max(
            1,
            (min(Self.maximumFrame, commands.channel.maxCommandLength) - Self.requestHead)
                / (Self.blockSize + Self.element(last).count))
    }

    /// Polls for a system with one time slot.
    ///
    /// - Returns: the IDm, or `nil` if there is no answer.
    func polling(_ system: [UInt8]) throws(TagError) -> [UInt8]? {
        try commands.polling(systemCode: system)?.idm
    }

    func systemCodes() throws(TagError) -> [[UInt8]] { try commands.requestSystemCode() }

    /// Sends Read Without Encryption and returns the blocks, or throws an error if the card refuses.
    func read(_ blocks: [Int]) throws(TagError) -> [[UInt8]] {
        let (status, data) = try commands.read(services: [Self.readService], blocks: blocks.map(Self.element))
        guard data.count == blocks.count else {
            throw .refused(command: "Read Without Encryption", block: blocks.first, status: status)
        }
        return data
    }

    /// Sends Write Without Encryption, and throws an error if the card refuses.
    func write(_ blocks: [Int], _ data: [UInt8]) throws(TagError) {
        let status = try commands.write(
            services: [Self.writeService], blocks: blocks.map(Self.element), data: [data])
        guard status.isSuccess else {
            throw .refused(command: "Write Without Encryption", block: blocks.first, status: status)
        }
    }

    /// Returns the block list element for a block.
    ///
    /// The element refers to service 0 of the service list. It has two bytes if the block number fits into one byte,
    /// and otherwise three, low byte first.
    private static func element(_ block: Int) -> [UInt8] {
        block < 0x100
            ? [0x80, UInt8(truncatingIfNeeded: block)]
            : [0x00, UInt8(truncatingIfNeeded: block), UInt8(truncatingIfNeeded: block >> 8)]
    }
}
