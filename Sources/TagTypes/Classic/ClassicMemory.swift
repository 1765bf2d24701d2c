// MIFARE Classic commands over a cache of blocks — NXP MF1S50yyX: AUTHENTICATE, READ, WRITE; AN10927 (7-byte UIDs)
import Hexadecimal
import ReaderInterface

/// The blocks of one activated MIFARE Classic, read once and then remembered.
///
/// The chip answers only in the sector it was last authenticated for. After a refusal it is mute until it is selected
/// again. Readers do not distinguish a refusal from silence.
final class ClassicMemory {
    private static let authenticateA: UInt8 = 0x60
    private static let authenticateB: UInt8 = 0x61
    private static let readCommand: UInt8 = 0x30
    private static let writeCommand: UInt8 = 0xA0
    /// How often the WRITE of a trailer is tried that was acknowledged, or whose key does not fit, and shows no effect.
    private static let trailerAttempts = 3
    private static let authenticateName = "AUTHENTICATE"
    /// How often silence between two answered controls makes a refusal.
    ///
    /// Where every fourth exchange is lost, a right key counts as wrong once in a million times.
    static let refusals = 8
    /// The same where no control was missed so far, of ``cleanControls`` or more; and for keys that are not likely.
    private static let cleanRefusals = 3
    private static let cleanControls = 24
    /// The number of keys at the beginning of a list that are likely; the others get fewer attempts.
    private static let likelyKeys = 4

    let channel: any TagChannel
    let patience: Patience
    let layout: ClassicLayout
    /// The identifier that takes part in the authentication: four bytes, of a longer one the last four.
    private let identifier: [UInt8]
    /// The whole identifier.
    let uid: [UInt8]
    /// Keys to try besides those for NDEF; `nil` for none.
    var ring: ClassicKeyRing?
    /// Keys to try besides the well-known ones, by sector.
    var offered: [Int: [ClassicKey]] = [:]
    /// The keys with which data blocks are written, by sector, where the key that reads does not do.
    var writers: [Int: ClassicKey] = [:]
    /// The sectors whose key B is accepted and opens nothing, see ``openWithAnyKey(_:_:)``.
    var inert: Set<Int> = []
    /// How many controls were answered at once, and how many were not.
    private var controls = (heard: 0, missed: 0)
    private var cache: [Int: [UInt8]] = [:]
    /// The keys that opened each sector, the last one last.
    var proven: [Int: [ClassicKey]] = [:]
    /// The keys that turned out to be wrong for each sector.
    private var refuted: [Int: Set<ClassicKey>] = [:]
    private var open: (sector: Int, key: ClassicKey)?

    init(channel: any TagChannel, layout: ClassicLayout, patience: Patience) {
        self.channel = channel
        self.patience = patience
        self.layout = layout
        let nfcID1: [UInt8] = if case .nfcA(let target) = channel.target { target.nfcID1 } else { [] }
        uid = nfcID1
        identifier = nfcID1.suffix(4) + Array(repeating: 0, count: max(0, 4 - nfcID1.count))
    }

    func cached(_ block: Int) -> [UInt8]? { cache[block] }

    func forget(_ blocks: some Sequence<Int>) {
        for block in blocks { cache[block] = nil }
    }

    func forgetAll() { cache = [:] }

    /// Authenticates for a sector with the first key that fits; `nil` when none does.
    ///
    /// A key that opened the sector before is right, so silence is noise. Another key may be wrong, see ``find(_:for:)``.
    /// - Throws: ``TagError/noReliableAnswer(command:offset:)`` when noise leaves it open whether a key fits.
    func open(_ sector: Int, trying keys: [ClassicKey]) throws(TagError) -> ClassicKey? {
        if let open, open.sector == sector, keys.contains(open.key) { return open.key }
        guard let key = keys.first(where: { proven[sector]?.contains($0) ?? false }) else {
            return try find(keys, for: sector)
        }
        try insist(on: Self.authenticateName, at: address(of: sector)) { _ throws(TagError) in
            try authenticate(sector, key)
        }
        return key
    }

    /// The one of these keys that opened a sector in this activation, or that opens it now; `nil` when none does.
    func openedKey(_ sector: Int, _ keys: [ClassicKey]) throws(TagError) -> ClassicKey? {
        if let key = proven[sector]?.last(where: { keys.contains($0) }) { return key }
        return try open(sector, trying: keys)
    }

    /// Tries keys that did not open the sector yet, in turn; `nil` when all are wrong.
    ///
    /// A wrong key is refused by silence, and so noise looks the same. Silence counts only between two controls that were
    /// answered at once.
    private func find(_ keys: [ClassicKey], for sector: Int) throws(TagError) -> ClassicKey? {
        let keys = keys.filter { !(refuted[sector]?.contains($0) ?? false) }
        var persistence = Persistence(patience, refusals: 1)
        var refusals = Array(repeating: 0, count: keys.count)
        // What opened a sector was answered.
        var isHeard = open != nil
        while let index = next(refusals) {
            do throws(TagError) {
                try authenticate(sector, keys[index])
                return keys[index]
            } catch .reader(.noAnswer) {
                let wasHeard = isHeard
                // Of a long list, that the tag is selected at once is control enough.
                isHeard = try answersControl(withKey: index < Self.likelyKeys || !isClean)
                if isHeard { controls.heard += 1 } else { controls.missed += 1 }
                if wasHeard, isHeard { refusals[index] += 1 }
            }
            guard !isHeard else {
                // Of a long list some controls are missed without the connection being too weak for it.
                persistence = Persistence(patience, refusals: 1)
                continue
            }
            persistence.failed()
            guard persistence.goesOn() else {
                throw .noReliableAnswer(command: Self.authenticateName, offset: address(of: sector))
            }
        }
        refuted[sector, default: []].formUnion(keys)
        return nil
    }

    /// Whether no control was missed in this activation, of many.
    private var isClean: Bool { controls.missed == 0 && controls.heard >= Self.cleanControls }

    /// The key to try next, the one tried least; `nil` when all were refused often enough.
    private func next(_ refusals: [Int]) -> Int? {
        let open = refusals.indices.filter { index in
            let isLikely = index < Self.likelyKeys
            let needed =
                switch (isLikely, isClean) {
                case (true, false): Self.refusals
                case (true, true): Self.cleanRefusals
                case (false, false): 2
                case (false, true): 1
                }
            return refusals[index] < needed
        }
        return open.min { refusals[$0] < refusals[$1] }
    }

    /// Whether the tag answers at once what it must answer: its selection, and a key that is known to be right.
    private func answersControl(withKey: Bool) throws(TagError) -> Bool {
        try isAnswered { () throws(TagError) in
            guard withKey, let (sector, keys) = proven.first, let key = keys.last else { return }
            try authenticate(sector, key)
        }
    }

    /// Whether the tag answers one attempt at commands in a fresh activation; it is activated either way.
    func isAnswered(_ commands: () throws(TagError) -> Void) throws(TagError) -> Bool {
        do throws(TagError) {
            try reselect()
            try commands()
            return true
        } catch {
            switch error {
            case .reader(.noAnswer), .reader(.tagLost), .protocolViolation: try activateAgain()
            default: throw error
            }
            return false
        }
    }

    /// Authenticates for a sector as it was opened before, or with the public key of its kind, or with another known key.
    private func open(_ sector: Int) throws(TagError) {
        if let open, open.sector == sector { return }
        if let key = proven[sector]?.last {
            guard try open(sector, trying: [key]) != nil else { throw .keyNeeded(sector: sector) }
        } else {
            guard try openWithAnyKey(sector, [publicKey(of: sector)]) != nil else { throw .keyNeeded(sector: sector) }
        }
    }

    /// Selects the tag again, which closes all sectors.
    func reselect() throws(TagError) {
        open = nil
        try onReader { () throws(ReaderError) in try channel.reselect() }
    }

    /// The same, if no question can be asked again.
    func activateOnReader() throws(ReaderError) {
        open = nil
        try channel.reselect()
    }

    func authenticate(_ sector: Int, _ key: ClassicKey) throws(TagError) {
        open = nil
        let command = key.kind == .a ? Self.authenticateA : Self.authenticateB
        let block = UInt8(truncatingIfNeeded: layout.trailer(of: sector))
        _ = try exchange([command, block] + key.bytes + identifier)
        open = (sector, key)
        proven[sector] = (proven[sector] ?? []).filter { $0 != key } + [key]
        ring?.note(key, opens: sector, of: uid)
    }

    private func address(of sector: Int) -> Int { layout.trailer(of: sector) * ClassicLayout.blockSize }

    /// Returns one block, reading it when it is not cached.
    ///
    /// `isSwitchingKeys` permits trying key B where the access bits do not let the key in use read.
    func block(_ block: Int, isSwitchingKeys: Bool = true) throws(TagError) -> [UInt8] {
        if let known = cache[block] { return known }
        return try insist(on: "READ", at: block * ClassicLayout.blockSize) { number throws(TagError) in
            try open(layout.sector(of: block))
            // A refusal looks like silence: the access bits distinguish them.
            if number > 0, !layout.isTrailer(block) { _ = try trailer(of: layout.sector(of: block)) }
            try open(layout.sector(of: block))
            if !isReadable(block) {
                guard isSwitchingKeys, try openWithReader(of: block) else {
                    throw .commandFailed(command: "READ", offset: block * ClassicLayout.blockSize, sw: nil)
                }
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

    func read(_ block: Int) throws(TagError) -> [UInt8] {
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
                field: "access bits of sector \(sector)", found: bytes[6..<9].spacedHex,
                expected: "bits that match their complement", offset: block * ClassicLayout.blockSize + 6)
        }
        return trailer
    }

    /// WRITE of a data block, repeated after silence; does nothing when the block is known to hold these bytes.
    func write(_ bytes: [UInt8], to block: Int) throws(TagError) {
        guard bytes.count == ClassicLayout.blockSize, block > 0, !layout.isTrailer(block) else {
            throw .unsupported(reason: "block \(block) is not a data block, or the data is not 16 bytes long")
        }
        guard cache[block] != bytes else { return }
        cache[block] = nil
        let sector = layout.sector(of: block)
        try insist(on: "WRITE", at: block * ClassicLayout.blockSize) { _ throws(TagError) in
            if let writer = writers[sector] { _ = try open(sector, trying: [writer]) } else { try open(sector) }
            _ = try exchange([Self.writeCommand, UInt8(truncatingIfNeeded: block)] + bytes)
        }
        cache[block] = bytes
    }

    /// Whether a WRITE of the very bytes that a block holds has no answer, though the block reads right before and after,
    /// each time.
    func refusesWriting(_ block: Int) throws(TagError) -> Bool {
        let bytes = try self.block(block)
        var persistence = Persistence(patience, refusals: 1)
        var refusals = 0
        var isHeard = try isReadAgain(block)
        while refusals < Self.refusals {
            try open(layout.sector(of: block))
            do throws(TagError) {
                _ = try exchange([Self.writeCommand, UInt8(truncatingIfNeeded: block)] + bytes)
                return false
            } catch .reader(.noAnswer) {
                let wasHeard = isHeard
                isHeard = try isReadAgain(block)
                if wasHeard, isHeard { refusals += 1 }
            }
            guard !isHeard else { continue }
            persistence.failed()
            guard persistence.goesOn() else {
                throw .noReliableAnswer(command: "WRITE", offset: block * ClassicLayout.blockSize)
            }
        }
        return true
    }

    /// Whether a block is read at once in a fresh activation, with the key that opened its sector last.
    private func isReadAgain(_ block: Int) throws(TagError) -> Bool {
        let sector = layout.sector(of: block)
        return try isAnswered { () throws(TagError) in
            if let key = proven[sector]?.last { try authenticate(sector, key) } else { try open(sector) }
            _ = try read(block)
        }
    }

    /// WRITE of a trailer, verified by its keys and by reading back before anything else happens.
    ///
    /// - Parameters:
    ///   - trailer: the new trailer; its access bits are right by construction.
    ///   - sector: the sector that the trailer belongs to, from 0.
    ///   - key: the key that may write it.
    /// - Throws: ``TagError/commandFailed(command:offset:sw:)`` when the card keeps its old trailer;
    ///   ``TagError/noReliableAnswer(command:offset:)`` when noise leaves it open which trailer it has.
    func write(_ trailer: ClassicTrailer, of sector: Int, with key: ClassicKey) throws(TagError) {
        let block = layout.trailer(of: sector)
        var persistence = Persistence(patience, refusals: 1)
        var failures = 0
        while failures < Self.trailerAttempts {
            var isAnswered = true
            // After silence the new keys may rule already: then the proof is all that is missing.
            if try open(sector, trying: [key]) != nil {
                cache[block] = nil
                (proven[sector], refuted[sector], writers[sector]) = (nil, nil, nil)
                inert.remove(sector)
                ring?.forget(sector, of: uid)
                do throws(TagError) {
                    _ = try exchange([Self.writeCommand, UInt8(truncatingIfNeeded: block)] + trailer.bytes)
                } catch .reader(.noAnswer) {
                    isAnswered = false
                    try activateAgain()
                }
            }
            if try isProven(trailer, of: sector) { return }
            guard !isAnswered else {
                failures += 1
                continue
            }
            persistence.failed()
            guard persistence.goesOn() else {
                throw .noReliableAnswer(command: "WRITE of a sector trailer", offset: address(of: sector))
            }
        }
        throw .commandFailed(command: "WRITE of a sector trailer", offset: address(of: sector), sw: nil)
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
