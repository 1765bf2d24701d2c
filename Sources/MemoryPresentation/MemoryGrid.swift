// A Type 2 Tag's memory block by block, or a Type 4 Tag's files — for people who look at tags

import Hexadecimal
import SafeTag
package import TagTypes
package import Terminal

/// A memory map as a grid of blocks, with locks, configuration and files below it.
package struct MemoryGrid {
    private static let unreadable = "·· ·· ·· ··"

    private let map: MemoryMap
    private let originality: Originality?
    private let activation: String?
    private let protection: Protection?
    private let style: Style
    private let hidden: HiddenBytes

    /// - Parameter secrets: bytes that are hidden wherever the message holds them, unless `style` shows secrets.
    package init(
        _ map: MemoryMap, originality: Originality?, activation: String? = nil, style: Style,
        hiding secrets: [[UInt8]] = []
    ) {
        self.map = map
        self.originality = originality
        self.activation = activation
        protection = Protection(map)
        self.style = style
        hidden = HiddenBytes(of: style.showsSecrets ? [] : secrets, in: map)
    }

    /// The grid, without a newline at its end; empty for a tag without a known memory.
    package var text: String {
        let grid = style.isDecorated ? decoratedRows + legend : plainRows
        let facts = MemoryFacts(map, originality: originality, activation: activation, style: style).lines
        return (grid + (grid.isEmpty || facts.isEmpty || !style.isTerminal ? [] : [""]) + facts).joined(separator: "\n")
    }

    // MARK: Plain: one block on each line

    private var plainRows: [String] {
        folded(map.blocks.map { [$0] }).map { run in
            let block = run.row[0]
            let text = run.last == block.number ? "\(block.number)" : "\(block.number)-\(run.last)"
            let facts = [text.leading(7), hex(block), ascii(block).padded(to: 4), block.role.name]
            return facts.joined(separator: "  ") + (block.isShownLocked ? ", locked" : "") + passwordMark(block)
        }
    }

    private func passwordMark(_ block: MemoryMap.Block) -> String {
        guard let protection, protection.covers(block.number) else { return "" }
        return protection.rules.isReadingProtected
            ? ", \(protection.secret) to read and write" : ", \(protection.secret) to write"
    }

    // MARK: Decorated: as many blocks on a line as fit, coloured by role

    /// The blocks on a line: a block takes 13 columns of hexadecimal and 4 of text, the rest 11.
    private var blocksPerRow: Int { [4, 2].first { 11 + $0 * 17 <= style.width } ?? 1 }

    private var decoratedRows: [String] {
        let rows = stride(from: 0, to: map.blocks.count, by: blocksPerRow).map {
            Array(map.blocks[$0..<min($0 + blocksPerRow, map.blocks.count)])
        }
        let bar = style.paint("│", .faint)
        return folded(rows).flatMap { run in
            let missing = blocksPerRow - run.row.count
            let number = style.paint("\(run.row[0].number)".leading(4), .faint)
            let bytes = run.row.map(painted).joined(separator: "  ") + String(repeating: " ", count: missing * 13)
            let text = run.row.map { style.paint(ascii($0), $0.role.ink) }.joined()
            let line = " \(number) \(bar) \(bytes) \(bar) \(text)"
            guard run.count > 1 else { return [line] }
            let rest = "\(run.row[0].number + run.row.count) to \(run.last) hold the same"
            return [line, " " + style.paint("⋮".leading(4), .faint) + " \(bar) " + style.paint(rest, .faint)]
        }
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

    /// Equal rows that follow each other, the first standing for all.
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
                && passwordMark(one) == passwordMark(other)
        }
    }

    private func hex(_ block: MemoryMap.Block) -> String {
        guard let bytes = block.bytes else { return Self.unreadable }
        return bytes.enumerated().map { hidden.contains($0, of: block) ? "**" : $1.hex }.joined(separator: " ")
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
    /// Lock bits beside a part of the UID, which nobody can write, are not locked themselves.
    fileprivate var isShownLocked: Bool { isLocked && role != .lock }
}

extension MemoryMap.Role {
    /// All roles, in the order a legend names them.
    fileprivate static let all: [Self] = [
        .uid, .lock, .capabilityContainer, .directory, .tlv, .ndef, .free, .reserved, .counter, .configuration,
        .trailer, .password,
    ]

    /// The role in words.
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
