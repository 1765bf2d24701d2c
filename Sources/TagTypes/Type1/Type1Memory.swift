// Type 1 Tag memory, with a cache of blocks — NFC Forum T1T, static and dynamic memory structure
import ReaderInterface

/// The blocks of one activated Type 1 Tag, each of which is read once and then cached.
final class Type1Memory {
    static let blockSize = 8
    /// The number of blocks that RALL reads: 0 to E.
    static let readAllBlockCount = 15
    /// The number of blocks whose bytes WRITE-E and WRITE-NE can address: 0 to F.
    static let staticBlockCount = 16
    /// The number of blocks that a one-byte block number can address.
    static let maximumBlockCount = 256
    private static let addresses = 0..<maximumBlockCount * blockSize
    /// The low nibble of HR0 on a tag that has only static memory.
    private static let staticModel: UInt8 = 0x01

    let channel: any TagChannel
    let patience: Patience
    private let commands: Type1Commands
    private var cache: [Int: [UInt8]] = [:]
    /// HR0 and HR1, or empty before ``identify()`` has read them.
    private(set) var header: [UInt8] = []

    init(channel: any TagChannel, patience: Patience) {
        self.channel = channel
        self.patience = patience
        commands = Type1Commands(channel: channel)
    }

    /// Whether the tag has memory after block F, and commands for whole blocks.
    var isDynamic: Bool { header.first.map { $0 & 0x0F != Self.staticModel } ?? false }

    /// The number of bytes that one write command covers.
    var writeUnit: Int { isDynamic ? Self.blockSize : 1 }

    /// Throws the reader's own error if the reader cannot write to this tag.
    func requireWritingReader() throws(TagError) {
        if isDynamic { try commands.requireBlockCommands() }
    }

    /// Reads the header ROM and, with the same command, the static memory.
    func identify() throws(TagError) {
        if header.isEmpty { try readAll() }
    }

    func cached(_ block: Int) -> [UInt8]? { cache[block] }

    /// Returns the bytes of one block.
    ///
    /// A block that is not cached is read. If it is a static block, all other static blocks are read with it.
    func block(_ block: Int) throws(TagError) -> [UInt8] {
        if let known = cache[block] { return known }
        try identify()
        if block >= Self.readAllBlockCount {
            guard isDynamic, block < Self.maximumBlockCount else {
                throw .commandFailed(command: "READ", offset: block * Self.blockSize, sw: nil)
            }
            try block < Self.staticBlockCount ? readStaticSegment() : readDynamic(block)
        } else if cache[block] == nil {
            try readAll()
        }
        guard let bytes = cache[block] else {
            throw .commandFailed(command: "READ", offset: block * Self.blockSize, sw: nil)
        }
        return bytes
    }

    /// Reads all blocks in the range that are not cached.
    func load(_ range: ClosedRange<Int>) throws(TagError) {
        for number in range where cache[number] == nil { _ = try block(number) }
    }

    /// Returns the bytes from an address onwards, and reads their blocks if needed.
    func bytes(at address: Int, count: Int) throws(TagError) -> [UInt8] {
        guard Self.addresses.contains(address) else {
            throw .unsupported(reason: "no command reads at address \(address)")
        }
        var bytes: [UInt8] = []
        for address in address..<address + count {
            bytes.append(try block(address / Self.blockSize)[address % Self.blockSize])
        }
        return bytes
    }

    /// Forgets all blocks, but not the header.
    func forgetAll() { cache = [:] }

    func forget(_ addresses: Range<Int>) {
        for address in addresses { cache[address / Self.blockSize] = nil }
    }

    /// Writes bytes within one block, and checks the tag's answers, which contain the new content of the memory.
    func write(_ bytes: [UInt8], at address: Int, _ erasing: Type1Commands.Erasing = .withErase) throws(TagError) {
        let start = address % Self.blockSize
        guard Self.addresses.contains(address), start + bytes.count <= Self.blockSize else {
            throw .unsupported(reason: "no command writes \(bytes.count) bytes at address \(address)")
        }
        let number = address / Self.blockSize
        let known = cache[number]
        if let known, Array(known[start..<start + bytes.count]) == bytes { return }
        cache[number] = nil
        let written: [UInt8]
        if isDynamic, bytes.count == Self.blockSize {
            written = try insist(on: "WRITE-E8", at: address) { _ throws(TagError) in
                try commands.write8(bytes, to: number, erasing)
            }
        } else {
            written = try writeBytes(bytes, at: address, erasing)
        }
        guard erasing == .noErase || written == bytes else {
            throw .commandFailed(command: "WRITE-E", offset: address, sw: nil)
        }
        guard var block = known else { return }
        block.replaceSubrange(start..<start + bytes.count, with: written)
        cache[number] = block
    }

    func reselect() throws(TagError) {
        try onReader { () throws(ReaderError) in try channel.reselect() }
    }

    private func writeBytes(
        _ bytes: [UInt8], at address: Int, _ erasing: Type1Commands.Erasing
    ) throws(TagError) -> [UInt8] {
        guard address + bytes.count <= Self.staticBlockCount * Self.blockSize else {
            throw .unsupported(reason: "no command writes single bytes after block F")
        }
        var written: [UInt8] = []
        for (offset, byte) in bytes.enumerated() {
            written.append(
                try insist(on: "WRITE-E", at: address + offset) { _ throws(TagError) in
                    try commands.write(byte, at: address + offset, erasing)
                })
        }
        return written
    }

    private func readAll() throws(TagError) {
        let answer = try insist(on: "RALL") { _ throws(TagError) in try commands.readAll() }
        header = Array(answer.prefix(2))
        store(answer[2...])
    }

    /// Reads block F and the 15 blocks before it in one exchange.
    private func readStaticSegment() throws(TagError) {
        store(try insist(on: "RSEG") { _ throws(TagError) in try commands.readSegment(0) }[...])
    }

    private func readDynamic(_ block: Int) throws(TagError) {
        cache[block] = try insist(on: "READ8", at: block * Self.blockSize) { _ throws(TagError) in
            try commands.read8(block)
        }
    }

    /// Caches these bytes as the contents of the blocks from block 0 onwards.
    private func store(_ bytes: ArraySlice<UInt8>) {
        for (index, start) in stride(from: bytes.startIndex, to: bytes.endIndex, by: Self.blockSize).enumerated() {
            cache[index] = Array(bytes[start..<start + Self.blockSize])
        }
    }
}
