// The memory of a Type 2 Tag block by block, or the files of a Type 4 Tag, for users who inspect tags

import Hexadecimal
import SafeTag
package import TagTypes
package import Terminal

/// A memory map as a grid of blocks, followed by locks, configuration and files.
package struct MemoryGrid {
    private let map: MemoryMap
    private let originality: Originality?
    private let activation: String?
    private let protection: Protection?
    private let style: Style
    private let hidden: HiddenBytes
    private let blockLength: Int

    /// Creates the grid of a memory.
    ///
    /// The bytes of `secrets` are hidden wherever they occur in the message, unless `style` shows secrets.
    package init(
        _ map: MemoryMap, originality: Originality?, activation: String? = nil, style: Style,
        hiding secrets: [[UInt8]] = []
    ) {
        self.map = map
        self.originality = originality
        self.activation = activation
        protection = Protection(map)
        self.style = style
        blockLength = map.blocks.lazy.compactMap(\.bytes?.count).max() ?? (map.sectors.isEmpty ? 4 : 16)
        hidden = style.showsSecrets ? HiddenBytes() : HiddenBytes(of: secrets, in: map)
    }

    /// The grid, without a newline at its end.
    ///
    /// Empty for a tag whose memory is not known.
    package var text: String {
        let grid = style.isDecorated ? decoratedRows + legend : plainRows
        let facts = MemoryFacts(map, originality: originality, activation: activation, style: style).lines
        return (grid + (grid.isEmpty || facts.isEmpty || !style.isTerminal ? [] : [""]) + facts).joined(separator: "\n")
    }

    // MARK: Plain: one block per line

    private var plainRows: [String] {
        folded(map.blocks.map { [$0] }).map { run in
            let block = run.row[0]
            let text = run.last == block.number ? "\(block.number)" : "\(block.number)-\(run.last)"
            let facts = [text.leading(7), hex(block), ascii(block).padded(to: blockLength), block.role.name]
            return facts.joined(separator: "  ") + (block.isShownLocked ? ", locked" : "") + passwordMark(block)
        }
    }

    private func passwordMark(_ block: MemoryMap.Block) -> String {
        guard let protection, protection.covers(block.number) else { return "" }
        return protection.rules.isReadingProtected
            ? ", \(protection.secret) to read and write" : ", \(protection.secret) to write"
    }

    // MARK: Decorated: as many blocks per line as fit, coloured by role

    /// The number of columns for a block in hexadecimal and the gap after it.
    ///
    /// For 4 bytes, this is 13.
    private var blockColumns: Int { blockLength * 3 + 1 }

    /// The number of blocks per line.
    ///
    /// Each byte also takes up a column of text, and the rest of the line takes up 11 columns.
    private var blocksPerRow: Int { [4, 2].first { 11 + $0 * (blockColumns + blockLength) <= style.width } ?? 1 }

    private var decoratedRows: [String] {
        let bar = style.paint("│", .faint)
        return folded(map.sectors.isEmpty ? rows(map.blocks) : sectors).flatMap { run in
            let lines = rows(run.row).map { row in
                let missing = blocksPerRow - row.count
                let number = style.paint("\(row[0].number)".leading(4), .faint)
                let bytes =
                    row.map(painted).joined(separator: "  ") + String(repeating: " ", count: missing * blockColumns)
                let text = row.map { style.paint(ascii($0), $0.role.ink) }.joined()
                return " \(number) \(bar) \(bytes) \(bar) \(text)"
            }
            guard run.count > 1 else { return lines }
            let next = run.row[0].number + run.row.count
            let rest = next == run.last ? "\(next) holds the same" : "\(next) to \(run.last) hold the same"
            return lines + [" " + style.paint("⋮".leading(4), .faint) + " \(bar) " + style.paint(rest, .faint)]
        }
    }

    private func rows(_ blocks: [MemoryMap.Block]) -> [[MemoryMap.Block]] {
        stride(from: 0, to: blocks.count, by: blocksPerRow).map {
            Array(blocks[$0..<min($0 + blocksPerRow, blocks.count)])
        }
    }

    /// The blocks of a MIFARE Classic by sector, so that equal sectors without data can be folded.
    private var sectors: [[MemoryMap.Block]] {
        map.sectors.map { sector in map.blocks.filter { sector.blocks.contains($0.number) } }
    }

    private func painted(_ block: MemoryMap.Block) -> String {
        style.paint(hex(block), block.role.ink, block.isShownLocked ? .locked : nil)
    }

    private var legend: [String] {
        var entries = MemoryMap.Role.all.filter { role in map.blocks.contains { $0.role == role } }.map { role in
            (text: "■ " + role.name, painted: style.paint("■", role.ink) + " " + role.name)
        }
        if map.blocks.contains(where: \.isShownLocked) {
            entries.append((text: "00 locked", painted: style.paint("00", .locked) + " locked"))
        }
        if map.blocks.contains(where: { $0.bytes == nil }) {
            entries.append((text: "·· not readable", painted: "·· not readable"))
        }
        guard !entries.isEmpty else { return [] }
        var lines = [""]
        var (line, width) = ("", 0)
        for entry in entries {
            if width > 0, width + entry.text.columns + 3 > style.width {
                lines.append(line)
                (line, width) = ("", 0)
            }
            line += (width == 0 ? " " : "   ") + entry.painted
            width += entry.text.columns + 3
        }
        return lines + [line]
    }

    // MARK: Rows

    /// Consecutive equal rows, represented by the first one.
    private struct Run {
        let row: [MemoryMap.Block]
        var count: Int
        /// The number of the last block.
        var last: Int
    }

    private func folded(_ rows: [[MemoryMap.Block]]) -> [Run] {
        var runs: [Run] = []
        for row in rows {
            guard let last = row.last?.number else { continue }
            if let previous = runs.last, isAlike(previous.row, row) {
                runs[runs.count - 1].count += 1
                runs[runs.count - 1].last = last
            } else {
                runs.append(Run(row: row, count: 1, last: last))
            }
        }
        return runs
    }

    private func isAlike(_ one: [MemoryMap.Block], _ other: [MemoryMap.Block]) -> Bool {
        one.elementsEqual(other) { one, other in
            one.bytes == other.bytes && one.role == other.role && one.isLocked == other.isLocked
                && passwordMark(one) == passwordMark(other) && hex(one) == hex(other)
        }
    }

    private func hex(_ block: MemoryMap.Block) -> String {
        guard let bytes = block.bytes else { return Array(repeating: "··", count: blockLength).joined(separator: " ") }
        if block.role == .trailer { return trailer(bytes, of: block) }
        return bytes.enumerated().map { hidden.contains($0, of: block) ? "**" : $1.hex }.joined(separator: " ")
    }

    /// Returns a sector trailer with its keys, which the memory map does not contain.
    ///
    /// A known key is shown as `**`, unless secrets are shown.
    private func trailer(_ bytes: [UInt8], of block: MemoryMap.Block) -> String {
        let sector = map.sectors.first { $0.blocks.contains(block.number) }
        let keys = [sector?.keyA, sector?.keyB].map { key in
            (0..<6).map { index in key.map { style.showsSecrets ? $0.bytes[index].hex : "**" } ?? "··" }
        }
        let visible = bytes.dropFirst(6).prefix(4).map(\.hex)
        return (keys[0] + visible + keys[1]).joined(separator: " ")
    }

    private func ascii(_ block: MemoryMap.Block) -> String {
        guard let bytes = block.bytes else { return "" }
        let shown = bytes.enumerated().map { index, byte in
            if hidden.contains(index, of: block) { return UInt8(ascii: "*") }
            return (0x20...0x7E).contains(byte) ? byte : UInt8(ascii: ".")
        }
        return String(decoding: shown, as: UTF8.self)
    }
}

extension MemoryMap.Block {
    /// Whether to show the block as locked.
    ///
    /// A block of lock bits may also hold a part of the UID. That part can never be written, but this does not mean
    /// that the lock bits are locked.
    fileprivate var isShownLocked: Bool { isLocked && role != .lock }
}

extension MemoryMap.Role {
    /// All roles, in the order of the legend.
    fileprivate static let all: [Self] = [
        .uid, .lock, .capabilityContainer, .directory, .tlv, .ndef, .free, .reserved, .counter, .configuration,
        .trailer, .password,
    ]

    var name: String {
        switch self {
        case .uid: "UID"
        case .lock: "lock bits"
        case .capabilityContainer: "capability container"
        case .tlv: "TLV"
        case .ndef: "NDEF"
        case .free: "free"
        case .reserved: "reserved"
        case .configuration: "configuration"
        case .password: "password"
        case .counter: "counter"
        case .directory: "application directory"
        case .trailer: "keys and access bits"
        }
    }

    fileprivate var ink: Ink {
        switch self {
        case .uid: .uid
        case .lock: .lock
        case .capabilityContainer: .capabilityContainer
        case .tlv: .tlv
        case .ndef: .ndef
        case .free: .free
        case .reserved: .reserved
        case .configuration: .configuration
        case .password: .password
        case .counter: .counter
        case .directory: .capabilityContainer
        case .trailer: .configuration
        }
    }
}
