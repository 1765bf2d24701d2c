// Sectors and value blocks of a MIFARE Classic in words — NXP MF1S50yyX, Memory Access; Value Blocks

import Hexadecimal
import TagTypes

/// The sectors of a MIFARE Classic, as named facts.
struct ClassicFacts {
    private let map: MemoryMap
    private let showsSecrets: Bool

    init(_ map: MemoryMap, showsSecrets: Bool) { (self.map, self.showsSecrets) = (map, showsSecrets) }

    /// The facts.
    ///
    /// Consecutive sectors with the same description are combined.
    var named: [(String, String?)] { origin + sectors + values }

    private var origin: [(String, String?)] { [("Origin", map.origin?.words.map { "not genuine: \($0)" })] }

    private var sectors: [(String, String?)] {
        var runs: [(first: Int, last: Int, text: String)] = []
        for sector in map.sectors {
            let text = [keys(sector), access(sector)].compactMap(\.self).joined(separator: "; ")
            if runs.last?.text == text {
                runs[runs.count - 1].last = sector.number
            } else {
                runs.append((sector.number, sector.number, text))
            }
        }
        return runs.map { run in
            (run.first == run.last ? "Sector \(run.first)" : "Sectors \(run.first) to \(run.last)", run.text)
        }
    }

    private var values: [(String, String?)] {
        map.blocks.filter { $0.role == .free }.compactMap { block in
            block.bytes.flatMap { ClassicValue($0) }.map { value in
                ("Value", "\(value.value) in block \(block.number), address \(value.address)")
            }
        }
    }

    private func keys(_ sector: ClassicSector) -> String {
        let known = [("A", sector.keyA), ("B", sector.keyB)].compactMap { name, key in
            key.map { "key \(name) is \(words($0))" }
        }
        switch known.count {
        case 0: return "no key is known"
        case 1: return known[0] + ", key \(sector.keyA == nil ? "A" : "B") is not known"
        default: return known.joined(separator: ", ")
        }
    }

    private func words(_ key: ClassicSector.Key) -> String {
        let origin =
            switch key.origin {
            case .published: "a public key"
            case .argument: "a key from --key"
            case .file(let name): "a key from \(name)"
            case .card: "a key read from the card"
            }
        return showsSecrets ? "\(key.bytes.hex) (\(origin))" : origin
    }

    private func access(_ sector: ClassicSector) -> String? {
        if sector.isBlocked {
            return "blocked permanently: its access bits are invalid, so no key can read or write it"
        }
        guard let access = sector.access else {
            return sector.keyA == nil && sector.keyB == nil ? nil : "the access bits cannot be read"
        }
        let groups = (0..<3).map { access.words(of: .data($0)) }
        let data =
            Set(groups).count == 1
            ? ["data: \(groups[0])"]
            : groups.enumerated().map { group, words in "\(blocks(of: group, in: sector)): \(words)" }
        return (data + [access.trailerWords]).joined(separator: "; ")
    }

    /// Returns the blocks of a group, which is one block in a small sector and five blocks in a large sector.
    private func blocks(of group: Int, in sector: ClassicSector) -> String {
        let size = (sector.blocks.count - 1) / 3
        let first = sector.blocks.lowerBound + group * size
        return size == 1 ? "block \(first)" : "blocks \(first) to \(first + size - 1)"
    }
}

extension ClassicOrigin {
    /// The signs that the card is not genuine, or nil if there are none.
    package var words: String? {
        guard !signs.isEmpty else { return nil }
        let outlook = isWritable ? "; its block 0, including the UID, can be changed, but not with nfctool" : ""
        return signs.map(\.words).joined(separator: ", ") + outlook
    }
}

extension ClassicOrigin.Sign {
    fileprivate var words: String {
        switch self {
        case .backdoor: "it answers the backdoor command of copies (generation 1a)"
        case .copyATS: "it answers RATS, like copies (generation 2, CUID)"
        case .checkByte(let found, let expected):
            "the check byte of the UID in block 0 is \(found.hex) instead of \(expected.hex)"
        case .otherUID: "block 0 holds another UID"
        case .compatibleMaker: "block 0 has the manufacturer bytes that compatible chips use"
        }
    }

    fileprivate var name: String {
        switch self {
        case .backdoor: "backdoor"
        case .copyATS: "copyATS"
        case .checkByte: "checkByte"
        case .otherUID: "otherUID"
        case .compatibleMaker: "compatibleMaker"
        }
    }
}

struct OriginReport: Encodable {
    private let signs: [String]
    private let blockZeroWritable: Bool
    private let ats: String?

    init(_ origin: ClassicOrigin) {
        (signs, blockZeroWritable) = (origin.signs.map(\.name), origin.isWritable)
        ats = origin.ats.isEmpty ? nil : origin.ats.hex
    }
}

extension ClassicAccess {
    /// Describes the rights to a part, and the keys that give these rights.
    fileprivate func words(of part: Part) -> String {
        var rights: [(keys: String, names: [String])] = []
        for right in ClassicRight.allCases {
            let keys = keys(right, part)
            guard !keys.isEmpty else { continue }
            if rights.last?.keys == keys.words {
                rights[rights.count - 1].names.append(right.rawValue)
            } else {
                rights.append((keys.words, [right.rawValue]))
            }
        }
        guard !rights.isEmpty else { return "no access" }
        return rights.map { "\($0.names.joined(separator: ", ")) with \($0.keys)" }.joined(separator: ", ")
    }

    /// The rights to write the trailer, in words.
    fileprivate var trailerWords: String {
        let (keys, bits) = (keys(.write, .keyA), keys(.write, .accessBits))
        let written =
            switch (keys.isEmpty, bits.isEmpty) {
            case (true, true): "keys and access bits are fixed permanently"
            case (false, false) where keys == bits: "write keys and access bits with \(keys.words)"
            case (false, false): "write keys with \(keys.words), access bits with \(bits.words)"
            case (false, true): "write keys with \(keys.words), access bits are fixed permanently"
            case (true, false): "write access bits with \(bits.words), keys are fixed"
            }
        return isKeyBLegible ? written + "; key B can be read as data, so it gives no access" : written
    }
}

extension Set<ClassicKeyKind> {
    fileprivate var words: String {
        [(ClassicKeyKind.a, "A"), (.b, "B")].filter { contains($0.0) }.map(\.1).joined(separator: " or ")
    }

    /// The letters of the keys: `A`, `B`, `AB`, or an empty string if no key has the right.
    fileprivate var letters: String { words.replacing(" or ", with: "") }
}

/// A sector in JSON.
///
/// It never contains the keys.
struct SectorReport: Encodable {
    private struct Key: Encodable {
        let origin: String
        let file: String?

        init(_ key: ClassicSector.Key) {
            switch key.origin {
            case .published: (origin, file) = ("public", nil)
            case .argument: (origin, file) = ("argument", nil)
            case .file(let name): (origin, file) = ("file", name)
            case .card: (origin, file) = ("card", nil)
            }
        }
    }

    private struct Access: Encodable {
        let data: [[String: String]]
        let keyA: [String: String]
        let accessBits: [String: String]
        let keyB: [String: String]

        init(_ access: ClassicAccess) {
            func rights(_ part: ClassicAccess.Part, _ rights: [ClassicRight]) -> [String: String] {
                Dictionary(uniqueKeysWithValues: rights.map { ($0.rawValue, access.keys($0, part).letters) })
            }
            data = (0..<3).map { rights(.data($0), ClassicRight.allCases) }
            (keyA, keyB) = (rights(.keyA, [.write]), rights(.keyB, [.read, .write]))
            accessBits = rights(.accessBits, [.read, .write])
        }
    }

    private let sector: Int
    private let firstBlock: Int
    private let blockCount: Int
    private let keyA: Key?
    private let keyB: Key?
    private let access: Access?
    private let blocked: Bool?

    init(_ sector: ClassicSector) {
        self.sector = sector.number
        (firstBlock, blockCount) = (sector.blocks.lowerBound, sector.blocks.count)
        (keyA, keyB, access) = (sector.keyA.map(Key.init), sector.keyB.map(Key.init), sector.access.map(Access.init))
        blocked = sector.isBlocked ? true : nil
    }
}

struct ValueReport: Encodable {
    private let block: Int
    private let value: Int
    private let address: Int

    /// Creates a report, or returns nil for a block that is not a value block.
    init?(_ block: MemoryMap.Block) {
        guard block.role == .free, let value = block.bytes.flatMap({ ClassicValue($0) }) else { return nil }
        (self.block, self.value, address) = (block.number, Int(value.value), Int(value.address))
    }
}
