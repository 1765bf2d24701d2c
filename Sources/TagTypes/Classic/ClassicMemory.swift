// MIFARE Classic commands, with a cache of blocks — NXP MF1S50yyX: AUTHENTICATE, READ, WRITE; AN10927 (7-byte UIDs)
import Hexadecimal
import ReaderInterface

/// The blocks of one activated MIFARE Classic, each of which is read once and then cached.
///
/// The chip gives access only to the sector for which the reader last authenticated. After a refusal, it does not
/// answer until it is selected again. Readers do not distinguish a refusal from a missing answer.
final class ClassicMemory {
    private static let authenticateA: UInt8 = 0x60
    private static let authenticateB: UInt8 = 0x61
    private static let readCommand: UInt8 = 0x30
    private static let writeCommand: UInt8 = 0xA0
    /// The number of failed attempts, without those that got no answer, after which the write of a trailer fails.
    private static let trailerAttempts = 3
    private static let authenticateName = "AUTHENTICATE"
    static let readName = "READ"
    /// The number of missing answers, each between two answered control commands, that together count as a refusal.
    ///
    /// A control is a command that the card answers unless noise interferes. If every fourth exchange is lost, a
    /// correct key is mistaken for a wrong one once in a million attempts.
    static let refusals = 8
    /// The number that replaces ``refusals`` if ``cleanControls`` or more controls were answered and none was missed.
    private static let cleanRefusals = 3
    private static let cleanControls = 24
    /// The number of keys at the start of a list that are likely to fit; the other keys get fewer attempts.
    private static let likelyKeys = 4

    let channel: any TagChannel
    let patience: Patience
    let layout: ClassicLayout
    /// The part of the UID that is used in the authentication: its last 4 bytes.
    private let identifier: [UInt8]
    let uid: [UInt8]
    /// Keys to try in addition to those for NDEF, or `nil` for none.
    var ring: ClassicKeyRing?
    /// Keys to try in addition to the well-known ones, by sector.
    var offered: [Int: [ClassicKey]] = [:]
    var writers: [Int: ClassicKey] = [:]
    /// The sectors whose key B is accepted but gives no access; see ``openWithAnyKey(_:_:)``.
    var inert: Set<Int> = []
    /// The sectors that are known to be blocked; see ``TagError/sectorBlocked(sector:)``.
    var blocked: Set<Int> = []
    /// The number of control commands that were answered immediately, and the number of those that were not.
    private var controls = (heard: 0, missed: 0)
    private var cache: [Int: [UInt8]] = [:]
    /// The keys that opened each sector in this activation, with the most recently used one last.
    var proven: [Int: [ClassicKey]] = [:]
    /// The keys that are known to be wrong for each sector.
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

    /// Authenticates for a sector with the first key that fits, or returns `nil` if none does.
    ///
    /// For a key that has already opened the sector, a missing answer is caused by noise. Any other key may be wrong;
    /// see ``find(_:for:)``.
    /// - Throws: ``TagError/noReliableAnswer(command:offset:)`` if noise makes the result uncertain.
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

    /// Returns a key that opened the sector in this activation or that opens it now, or `nil` if no key fits.
    func openedKey(_ sector: Int, _ keys: [ClassicKey]) throws(TagError) -> ClassicKey? {
        if let key = proven[sector]?.last(where: { keys.contains($0) }) { return key }
        return try open(sector, trying: keys)
    }

    /// Finds the key that opens a sector among keys that have not opened it yet, or returns `nil` if all are wrong.
    ///
    /// A missing answer counts as a refusal only between two answered controls, because noise can also cause it.
    private func find(_ keys: [ClassicKey], for sector: Int) throws(TagError) -> ClassicKey? {
        let keys = keys.filter { !(refuted[sector]?.contains($0) ?? false) }
        var persistence = Persistence(patience, refusals: 1)
        var refusals = Array(repeating: 0, count: keys.count)
        // If a sector is open, the command that opened it was answered, and counts as a control.
        var isHeard = open != nil
        while let index = next(refusals) {
            do throws(TagError) {
                try authenticate(sector, keys[index])
                return keys[index]
            } catch .reader(.noAnswer) {
                let wasHeard = isHeard
                // For the many keys of a long list, a successful selection is a sufficient control.
                isHeard = try answersControl(withKey: index < Self.likelyKeys || !isClean)
                if isHeard { controls.heard += 1 } else { controls.missed += 1 }
                if wasHeard, isHeard { refusals[index] += 1 }
            }
            guard !isHeard else {
                // With a long list, some controls are missed even on a good connection, so start counting again.
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

    /// Whether enough control commands were answered in this activation and none was missed.
    private var isClean: Bool { controls.missed == 0 && controls.heard >= Self.cleanControls }

    /// Returns the index of the key that was tried least often, or `nil` if every key was refused often enough.
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

    /// Whether the tag immediately answers a selection and, if `withKey` is true, an authentication with a known key.
    private func answersControl(withKey: Bool) throws(TagError) -> Bool {
        try isAnswered { () throws(TagError) in
            guard withKey, let (sector, keys) = proven.first, let key = keys.last else { return }
            try authenticate(sector, key)
        }
    }

    /// Whether the tag answers commands that are sent once in a new activation.
    ///
    /// In any case, the tag is active afterwards.
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

    /// Authenticates for a sector with a key that has already opened it, its public key, or another known key.
    private func open(_ sector: Int) throws(TagError) {
        if let open, open.sector == sector { return }
        if let key = proven[sector]?.last {
            guard try open(sector, trying: [key]) != nil else { throw .keyNeeded(sector: sector) }
        } else {
            guard try openWithAnyKey(sector, [publicKey(of: sector)]) != nil else { throw .keyNeeded(sector: sector) }
        }
    }

    /// Selects the tag again, which closes every open sector.
    func reselect() throws(TagError) {
        open = nil
        try onReader { () throws(ReaderError) in try channel.reselect() }
    }

    /// Selects the tag again, without retries, for callers that can throw only reader errors.
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

    /// Returns the bytes of a block, which is read unless it is cached.
    ///
    /// If `isSwitchingKeys` is true and the access bits do not let the current key read the block, key B is tried.
    func block(_ block: Int, isSwitchingKeys: Bool = true) throws(TagError) -> [UInt8] {
        if let known = cache[block] { return known }
        try requireUnblocked(layout.sector(of: block))
        return try insist(on: Self.readName, at: block * ClassicLayout.blockSize) { number throws(TagError) in
            if number == Self.blockedSuspicion, layout.isTrailer(block) {
                try findWhetherBlocked(layout.sector(of: block))
            }
            try open(layout.sector(of: block))
            // A refusal looks like a missing answer. The access bits show which of the two it is.
            if number > 0, !layout.isTrailer(block) { _ = try trailer(of: layout.sector(of: block)) }
            try open(layout.sector(of: block))
            if !isReadable(block) {
                guard isSwitchingKeys, try openWithReader(of: block) else {
                    throw .commandFailed(command: Self.readName, offset: block * ClassicLayout.blockSize, sw: nil)
                }
            }
            return try read(block)
        }
    }

    /// Whether the current key may read a block, which is assumed if the access bits are not known.
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
                field: "the answer to READ", found: "\(ByteCount(answer.count))", expected: "16 bytes",
                offset: block * ClassicLayout.blockSize)
        }
        cache[block] = answer
        return answer
    }

    /// Writes a data block unless the cache shows that it holds these bytes, and repeats WRITE if there is no answer.
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

    /// Whether the card refuses to write a block: WRITE repeatedly gets no answer, but READ before and after it does.
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

    /// Whether a block can be read immediately in a new activation, with the key that most recently opened its sector.
    private func isReadAgain(_ block: Int) throws(TagError) -> Bool {
        let sector = layout.sector(of: block)
        return try isAnswered { () throws(TagError) in
            if let key = proven[sector]?.last { try authenticate(sector, key) } else { try open(sector) }
            _ = try read(block)
        }
    }

    /// Writes a trailer and verifies its keys and readable bytes before anything else is done.
    ///
    /// - Parameters:
    ///   - trailer: the new trailer. Its type ensures that its access bits are valid.
    ///   - sector: the sector of the trailer, counted from 0.
    ///   - key: the key that may write the trailer.
    /// - Throws: ``TagError/commandFailed(command:offset:sw:)`` if the card keeps its old trailer;
    ///   ``TagError/noReliableAnswer(command:offset:)`` if noise makes this uncertain.
    func write(_ trailer: ClassicTrailer, of sector: Int, with key: ClassicKey) throws(TagError) {
        let block = layout.trailer(of: sector)
        var persistence = Persistence(patience, refusals: 1)
        var failures = 0
        while failures < Self.trailerAttempts {
            var isAnswered = true
            // After a missing answer, the new keys may already be in use. In that case, only the verification is left.
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
        // The authentication before the WRITE does not show which keys the sector has after it.
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
