// Type 5 Tag memory, read through a cache of blocks — ISO/IEC 15693-3, Optional Commands; NFC Forum T5T, Command Set

import Chips
import Hexadecimal
import ReaderInterface

/// The blocks of one activated ISO 15693 tag, each of which is read once and then cached.
final class Type5Memory {
    /// The form of block numbers in commands.
    enum Addressing: Hashable {
        /// One byte for blocks below 256; extended commands with two bytes for the others.
        case standard
        /// Two bytes and the protocol extension flag in all commands: LRIS64K, M24LR16 and M24LR64.
        case protocolExtension
    }

    /// Returns the timeout for an answer of this many bytes to a command that programs nothing.
    ///
    /// A tag starts to answer within a millisecond, and a byte takes 0.3 ms at 26 kbit/s. Readers need additional time.
    static func timeout(forAnswerOf count: Int) -> Duration { .milliseconds(100) + .microseconds(500 * count) }
    /// The timeout for programming, which takes 20 ms at most.
    static let writeTimeout = Duration.milliseconds(500)
    private static let maximumBlockSize = 32
    /// The number of blocks that a one-byte block number can address.
    static let shortBlockCount = 256
    /// The number of blocks that a two-byte block number can address.
    static let maximumBlockCount = 0x1_0000

    let channel: any TagChannel
    let patience: Patience
    let uid: [UInt8]
    /// The system information of the tag; `nil` before ``identify()``, or if the tag reports none.
    private(set) var information: ISO15693SystemInformation?
    /// The model according to the UID and the system information; `nil` if it is not known.
    private(set) var model: ChipModel?
    private(set) var addressing = Addressing.standard
    /// The number of bytes in a block; 0 until a block has been read.
    private(set) var blockSize = 0
    /// Whether writes and locks require the option flag.
    var wantsOption = false
    /// The known limit of READ MULTIPLE BLOCKS, in blocks; 1 for a tag that does not support it.
    var runLimit = Int.max
    /// Whether the capability container announces READ MULTIPLE BLOCKS; if it does, fewer blocks are requested after a
    /// failure.
    var isMultipleReadPromised = false
    var status = Type5SecurityStatus()
    private var isIdentified = false
    var cache: [Int: [UInt8]] = [:]

    init(channel: any TagChannel, patience: Patience) {
        self.channel = channel
        self.patience = patience
        uid = channel.target.identifier
    }

    /// The number of blocks, or `nil` if neither the tag nor its model provides it.
    var blockCount: Int? {
        if let memory = information?.memory, blockSize == 0 || memory.blockSize == blockSize {
            return memory.blockCount
        }
        guard let layout = model?.type5Layout, blockSize == 0 || layout.blockLength == blockSize else { return nil }
        return layout.blockCount
    }

    /// The number of blocks of ordinary memory, starting with block 0, or `nil` if it is not known.
    var plainBlockCount: Int? {
        guard let blockCount else { return nil }
        return min(blockCount, model?.type5Layout?.plainBlockCount ?? blockCount)
    }

    func cached(_ block: Int) -> [UInt8]? { cache[block] }

    func forget(_ blocks: some Sequence<Int>) {
        for block in blocks { cache[block] = nil }
    }

    /// Forgets the cached blocks and their lock status, but not the identity of the tag.
    func forgetAll() {
        cache = [:]
        status.forgetAll()
    }

    // MARK: Identity

    /// Requests the system information once.
    ///
    /// Some tags do not support this command, and others support only another form of it.
    func identify() throws(TagError) {
        guard !isIdentified else { return }
        information = try systemInformation()
        model = ChipModel(vicinityUID: uid, blockCount: information?.memory?.blockCount)
        if let layout = model?.type5Layout { wantsOption = layout.wantsOption }
        // A large tag with sectors (LRIS64K, M24LR) answers only requests that have the protocol extension flag.
        if let layout = model?.type5Layout, layout.sectorBlockCount != nil, addressing == .standard,
            layout.blockCount > Self.shortBlockCount
        {
            try channel.require(Self.oldSystemInformation.frame(to: uid), framing: .raw)
        }
        isIdentified = true
    }

    private func systemInformation() throws(TagError) -> ISO15693SystemInformation? {
        let plain = try information(ISO15693Command(.getSystemInformation), .standard)
        if plain?.memory != nil { return plain }
        // The basic form cannot express more than 256 blocks.
        let command = ISO15693Command(
            .extendedGetSystemInformation, field: ISO15693SystemInformation.requestedFields)
        if let extended = try information(command, .extended), extended.memory != nil { return extended }
        guard uid.count == 8, uid[1] == ChipModel.Maker.st.code else { return plain }
        let old = try information(Self.oldSystemInformation, .extended)
        guard let old, old.memory != nil else { return plain }
        addressing = .protocolExtension
        return old
    }

    /// The Get System Information command of LRIS64K and M24LR.
    private static let oldSystemInformation = ISO15693Command(.getSystemInformation, [], .protocolExtension)

    /// Throws the reader's own error if the memory size is unknown because this reader cannot request it.
    func requireIdentifyingReader() throws(TagError) {
        guard information?.memory == nil else { return }
        let extended = ISO15693Command(
            .extendedGetSystemInformation, field: ISO15693SystemInformation.requestedFields)
        for command in [ISO15693Command(.getSystemInformation), extended] {
            try channel.require(command.frame(to: uid), framing: .raw)
        }
    }

    private func information(
        _ command: ISO15693Command, _ form: ISO15693SystemInformation.Form
    ) throws(TagError) -> ISO15693SystemInformation? {
        guard let data = try ask(command), let found = ISO15693SystemInformation(data, form: form) else { return nil }
        // Another tag in the field must not be mistaken for this one.
        guard found.uid == uid else { throw .reader(.tagLost) }
        return found
    }

    // MARK: Reading

    /// Returns one block, reading it if needed.
    func block(_ block: Int) throws(TagError) -> [UInt8] {
        if let known = cache[block] { return known }
        try load(block...block)
        return cache[block] ?? []
    }

    /// Returns one block.
    ///
    /// If the block is not cached, reads it and as many blocks after it, up to `limit`, as one exchange allows.
    func block(_ block: Int, limit: Int) throws(TagError) -> [UInt8] {
        if let known = cache[block] { return known }
        do throws(TagError) {
            try load(block...max(block, min(block + runLength(from: block), limit) - 1))
        } catch {
            // A later block may not exist or may not be readable.
            guard cache[block] != nil, !error.isOfConnection else { throw error }
        }
        return cache[block] ?? []
    }

    /// Reads the uncached blocks of the range, in as few exchanges as the reader and the tag allow.
    ///
    /// - Throws: ``TagError/commandFailed(command:offset:sw:)`` if the tag refuses to read a block.
    func load(_ range: ClosedRange<Int>) throws(TagError) {
        var next = range.lowerBound
        while next <= range.upperBound {
            guard cache[next] == nil else {
                next += 1
                continue
            }
            let end = (next...range.upperBound).first { cache[$0] != nil } ?? range.upperBound + 1
            let count = min(end - next, runLength(from: next))
            if count > 1, let blocks = try readMultiple(next, count: count) {
                for (number, bytes) in zip(next..., blocks) { cache[number] = bytes }
            } else {
                cache[next] = try readSingle(next)
            }
        }
    }

    /// Returns the number of blocks to request in one exchange, starting with this block.
    func runLength(from block: Int) -> Int {
        guard blockSize > 0, runLimit > 1 else { return 1 }
        var length = min(runLimit, (channel.maxResponseLength - 1) / blockSize, Self.shortBlockCount)
        let sector = model?.type5Layout?.sectorBlockCount ?? (addressing == .protocolExtension ? Self.oldSector : nil)
        if let sector { length = min(length, sector - block % sector) }
        // The commands for blocks below 256 and for later blocks differ.
        if block < Self.shortBlockCount { length = min(length, Self.shortBlockCount - block) }
        return max(1, length)
    }

    /// The number of blocks in a sector of LRIS64K and M24LR.
    private static let oldSector = 32

    /// Sends READ MULTIPLE BLOCKS and returns the requested block and possibly blocks after it, or `nil` without a
    /// valid answer.
    ///
    /// A failure reduces the number of blocks that later calls request.
    private func readMultiple(_ block: Int, count: Int) throws(TagError) -> [[UInt8]]? {
        let code = isShort(block) ? ISO15693Command.Code.readMultipleBlocks : .extendedReadMultipleBlocks
        let command = self.command(code, block, count: count)
        if channel.carries(command.frame(to: uid), framing: .raw) {
            for _ in 0..<2 {
                do throws(TagError) {
                    let timeout = Self.timeout(forAnswerOf: count * blockSize)
                    guard case .data(let data) = try exchange(command, timeout: timeout) else { break }
                    // An ICODE chip answers with fewer blocks if the run extends beyond its last block.
                    if !data.isEmpty, data.count <= count * blockSize, data.count.isMultiple(of: blockSize) {
                        return stride(from: 0, to: data.count, by: blockSize).map {
                            Array(data[$0..<$0 + blockSize])
                        }
                    }
                } catch .reader(.noAnswer) {
                    // A missing answer may be due to noise, or it may be a refusal.
                } catch .protocolViolation {
                    // The answer has no flags.
                }
                try activateAgain()
            }
        }
        runLimit = isMultipleReadPromised ? count / 2 : 1
        return nil
    }

    /// Returns whether READ MULTIPLE BLOCKS works, by trying it on the first two blocks.
    func probesMultipleRead() throws(TagError) -> Bool {
        _ = try block(0)
        return try readMultiple(0, count: 2)?.count == 2
    }

    private func readSingle(_ block: Int) throws(TagError) -> [UInt8] {
        let code = readCode(of: block)
        var silences = 0
        return try insist(on: "\(code)", at: offset(of: block)) { _ throws(TagError) in
            do throws(TagError) {
                return try readOnce(block)
            } catch .reader(.noAnswer) {
                guard try isRefused(command(code, block), after: &silences) else { throw .reader(.noAnswer) }
                throw ISO15693Error.unknown.refusal(of: code, at: offset(of: block))
            }
        }
    }

    /// Sends READ SINGLE BLOCK once.
    func readOnce(_ block: Int) throws(TagError) -> [UInt8] {
        let code = readCode(of: block)
        switch try exchange(command(code, block)) {
        case .error(.readProtected): throw .passwordUnsupported(block: block)
        case .error(let error): throw error.refusal(of: code, at: offset(of: block))
        case .data(let data):
            guard blockSize == 0 ? 1...Self.maximumBlockSize ~= data.count : data.count == blockSize else {
                throw .protocolViolation(
                    field: "the answer to \(code)", found: "\(ByteCount(data.count))",
                    expected: blockSize == 0 ? "1 to \(Self.maximumBlockSize) bytes" : "\(blockSize) bytes",
                    offset: offset(of: block))
            }
            // The answer shows the block size, whatever the system information says.
            blockSize = data.count
            return data
        }
    }
}
