// MIFARE Classic commands over a cache of blocks — NXP MF1S50yyX: AUTHENTICATE, READ, WRITE; AN10927 (7-byte UIDs)
import NFCReader

/// The blocks of one activated MIFARE Classic, read once and then remembered.
///
/// The chip answers only in the sector it was last authenticated for. After a refusal it is mute until it is selected
/// again; readers tell no wrong key from silence.
final class ClassicMemory {
    private static let authenticateA: UInt8 = 0x60
    private static let authenticateB: UInt8 = 0x61
    private static let readCommand: UInt8 = 0x30
    private static let writeCommand: UInt8 = 0xA0
    /// How often the WRITE of a trailer is tried.
    private static let trailerAttempts = 3

    let channel: any TagChannel
    let patience: Patience
    let layout: ClassicLayout
    /// The identifier that takes part in the authentication: four bytes, of a longer one the last four.
    private let identifier: [UInt8]
    private var cache: [Int: [UInt8]] = [:]
    /// The keys that opened sectors.
    private var keys: [Int: ClassicKey] = [:]
    private var open: (sector: Int, key: ClassicKey)?

    init(channel: any TagChannel, layout: ClassicLayout, patience: Patience) {
        self.channel = channel
        self.patience = patience
        self.layout = layout
        let nfcID1: [UInt8] = if case .nfcA(let target) = channel.target { target.nfcID1 } else { [] }
        identifier = nfcID1.suffix(4) + Array(repeating: 0, count: max(0, 4 - nfcID1.count))
    }

    func cached(_ block: Int) -> [UInt8]? { cache[block] }

    func forget(_ blocks: some Sequence<Int>) {
        for block in blocks { cache[block] = nil }
    }

    func forgetAll() { cache = [:] }

    /// Authenticates for a sector with the first key that fits; `nil` when none does.
    ///
    /// A wrong key is refused by silence, so each is tried on several fresh activations.
    func open(_ sector: Int, trying keys: [ClassicKey]) throws(TagError) -> ClassicKey? {
        if let open, open.sector == sector, keys.contains(open.key) { return open.key }
        for _ in 0..<Patience.silentRefusal.attempts {
            for key in keys {
                do {
                    try authenticate(sector, key)
                    return key
                } catch .reader(.noAnswer) {
                    try activateAgain()
                }
            }
        }
        return nil
    }

    /// Authenticates for a sector as it was opened before, or with the public key of its kind.
    private func open(_ sector: Int) throws(TagError) {
        if let open, open.sector == sector { return }
        let expected: ClassicKey = layout.directorySectors.contains(sector) ? .directory : .ndef
        guard try open(sector, trying: [keys[sector] ?? expected]) != nil else {
            throw .passwordNeeded(block: layout.blocks(of: sector).lowerBound)
        }
    }

    /// Selects the tag again, which closes all sectors.
    func reselect() throws(TagError) {
        open = nil
        try onReader { () throws(ReaderError) in try channel.reselect() }
    }

    private func authenticate(_ sector: Int, _ key: ClassicKey) throws(TagError) {
        open = nil
        let command = key.kind == .a ? Self.authenticateA : Self.authenticateB
        let block = UInt8(truncatingIfNeeded: layout.trailer(of: sector))
        _ = try exchange([command, block] + key.bytes + identifier)
        open = (sector, key)
        keys[sector] = key
    }

    /// Returns one block, reading it when it is not cached.
    func block(_ block: Int) throws(TagError) -> [UInt8] {
        if let known = cache[block] { return known }
        return try insist(on: "READ", at: block * ClassicLayout.blockSize) { number throws(TagError) in
            try open(layout.sector(of: block))
            // A refusal looks like silence: the access bits tell them apart.
            if number > 0, !layout.isTrailer(block) { _ = try trailer(of: layout.sector(of: block)) }
            try open(layout.sector(of: block))
            guard isReadable(block) else {
                throw .commandFailed(command: "READ", offset: block * ClassicLayout.blockSize, sw: nil)
            }
            return try read(block)
        }
    }

    /// Whether the access bits let the key that is in use read a block, as far as they are known.
    private func isReadable(_ block: Int) -> Bool {
        guard !layout.isTrailer(block), let open,
            let trailer = cache[layout.trailer(of: open.sector)].flatMap({ ClassicTrailer($0) })
        else { return true }
        return trailer.access.data[layout.accessGroup(of: block)].isReadable(with: open.key.kind)
    }

    private func read(_ block: Int) throws(TagError) -> [UInt8] {
        let answer = try exchange([Self.readCommand, UInt8(truncatingIfNeeded: block)])
        guard answer.count == ClassicLayout.blockSize else {
            throw .protocolViolation(
                field: "the answer to READ", found: "\(answer.count) bytes", expected: "16 bytes",
                offset: block * ClassicLayout.blockSize)
        }
        cache[block] = answer
        return answer
    }

    /// The trailer of a sector, as far as it reads back.
    func trailer(of sector: Int) throws(TagError) -> ClassicTrailer {
        let block = layout.trailer(of: sector)
        let bytes = try self.block(block)
        guard let trailer = ClassicTrailer(bytes) else {
            throw .protocolViolation(
                field: "access bits of sector \(sector)", found: hex(bytes[6..<9]),
                expected: "bits that match their complement", offset: block * ClassicLayout.blockSize + 6)
        }
        return trailer
    }

    /// WRITE of a data block, repeated after silence; does nothing when the block is known to hold these bytes.
    func write(_ bytes: [UInt8], to block: Int) throws(TagError) {
        guard bytes.count == ClassicLayout.blockSize, block > 0, !layout.isTrailer(block) else {
            throw .unsupported(reason: "block \(block) holds no data, or these are not 16 bytes")
        }
        guard cache[block] != bytes else { return }
        cache[block] = nil
        try insist(on: "WRITE", at: block * ClassicLayout.blockSize) { _ throws(TagError) in
            try open(layout.sector(of: block))
            _ = try exchange([Self.writeCommand, UInt8(truncatingIfNeeded: block)] + bytes)
        }
        cache[block] = bytes
    }

    /// Whether a WRITE of the very bytes that a block holds has no answer, though its sector opened right before, each time.
    func refusesWriting(_ block: Int) throws(TagError) -> Bool {
        let bytes = try self.block(block)
        do throws(TagError) {
            try insist(on: "WRITE", patience: .silentRefusal) { _ throws(TagError) in
                try open(layout.sector(of: block))
                _ = try exchange([Self.writeCommand, UInt8(truncatingIfNeeded: block)] + bytes)
            }
            return false
        } catch .noReliableAnswer {
            return true
        }
    }

    /// WRITE of a trailer, proven by its keys and by reading back before anything else happens.
    ///
    /// - Parameters:
    ///   - trailer: the new trailer; its access bits are right by construction.
    ///   - sector: the sector.
    ///   - key: the key that may write it.
    func write(_ trailer: ClassicTrailer, of sector: Int, with key: ClassicKey) throws(TagError) {
        let block = layout.trailer(of: sector)
        for _ in 0..<Self.trailerAttempts {
            // After silence the new keys may rule already: then the proof is all that is missing.
            if try open(sector, trying: [key]) != nil {
                cache[block] = nil
                do {
                    _ = try exchange([Self.writeCommand, UInt8(truncatingIfNeeded: block)] + trailer.bytes)
                } catch .reader(.noAnswer) {
                    try activateAgain()
                }
            }
            if try isProven(trailer, of: sector) { return }
        }
        throw .commandFailed(
            command: "WRITE of a sector trailer", offset: block * ClassicLayout.blockSize, sw: nil)
    }

    private func isProven(_ trailer: ClassicTrailer, of sector: Int) throws(TagError) -> Bool {
        // The authentication before the WRITE proves nothing about the keys after it.
        open = nil
        forget([layout.trailer(of: sector)])
        if !trailer.access.trailer.isKeyBReadable {
            guard try open(sector, trying: [ClassicKey(kind: .b, bytes: trailer.keyB)]) != nil else { return false }
        }
        guard try open(sector, trying: [ClassicKey(kind: .a, bytes: trailer.keyA)]) != nil else { return false }
        return try self.trailer(of: sector).visibleBytes == trailer.visibleBytes
    }

    private func exchange(_ command: [UInt8]) throws(TagError) -> [UInt8] {
        try onReader { () throws(ReaderError) in try channel.transceive(command, framing: .handled) }
    }
}

extension ClassicMemory: ReselectableMemory {
    /// ACK is four bits.
    var isAcknowledgementChecked: Bool { false }

    /// Reads in the order of the sectors: each is opened once.
    func contents(of spans: [Span]) throws(TagError) -> [[UInt8]] {
        for block in spans.map({ $0.address / ClassicLayout.blockSize }).sorted() { _ = try self.block(block) }
        return spans.map { cache[$0.address / ClassicLayout.blockSize] ?? [] }
    }

    func forget(_ spans: [Span]) { forget(spans.map { $0.address / ClassicLayout.blockSize }) }

    func write(_ bytes: [UInt8], at address: Int) throws(TagError) {
        try write(bytes, to: address / ClassicLayout.blockSize)
    }
}
