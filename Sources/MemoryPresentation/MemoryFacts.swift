// Facts about the memory of a tag: capability container, lock bits, password, files — NFC Forum T2T and T4T, NXP
// NTAG21x

import Hexadecimal
import TagTypes
import Terminal

/// The named facts of a memory map, one per line, followed by its files.
struct MemoryFacts {
    private static let minWidth = 16
    /// The system code of NFC Forum Type 3 Tags.
    private static let ndefSystem: [UInt8] = [0x12, 0xFC]

    private let map: MemoryMap
    private let originality: Originality?
    private let activation: String?
    private let style: Style

    init(_ map: MemoryMap, originality: Originality?, activation: String?, style: Style) {
        self.map = map
        self.originality = originality
        self.activation = activation
        self.style = style
    }

    var lines: [String] {
        let named =
            [
                ("Activation", activation), ("System codes", systemCodes),
                ("Capability container", capabilityContainer),
                ("Dynamic lock bits", dynamicLock),
            ] + ClassicFacts(map, showsSecrets: style.showsSecrets).named + ChipFacts(map, originality).named
        let facts = named.compactMap { name, value in value.map { (name, $0) } }
        let width = facts.map { $0.0.columns }.max() ?? 0
        let indent = style.isTerminal ? " " : ""
        let lines = facts.flatMap { name, value in
            let value = TerminalText.escaped(value)
            let taken = indent.count + width + 2
            let parts = style.isTerminal ? value.wrapped(to: max(style.width - taken, Self.minWidth)) : [value]
            let label = indent + style.paint(name.padded(to: width), .heading) + "  "
            return parts.enumerated().map { index, part in (index == 0 ? label : "".padded(to: taken)) + part }
        }
        return lines + files + applications
    }

    private var systemCodes: String? {
        guard !map.systemCodes.isEmpty else { return nil }
        return map.systemCodes.map { $0 == Self.ndefSystem ? "\($0.hex) (NDEF)" : $0.hex }.joined(separator: ", ")
    }

    private var capabilityContainer: String? {
        guard !map.capabilityContainer.isEmpty || !map.fields.isEmpty else { return nil }
        let fields = map.fields.map { "\($0.name) \($0.value)" }.joined(separator: ", ")
        return [map.capabilityContainer.spacedHex, fields].filter { !$0.isEmpty }.joined(separator: ": ")
    }

    private var dynamicLock: String? {
        guard let lock = map.dynamicLock else { return nil }
        let bytes = lock.bytes?.spacedHex ?? "not readable"
        let blockSize = max(map.blocks.lazy.compactMap(\.bytes?.count).first ?? 4, 1)
        let each = lock.blocksPerBit == 1 ? "1 block" : "\(lock.blocksPerBit) blocks"
        return
            "\(bytes): \(lock.bitCount) bits in block \(lock.address / blockSize), each for \(each), from block 16 onwards"
    }

    private var applications: [String] {
        guard !map.applications.isEmpty else { return [] }
        let indent = style.isTerminal ? " " : ""
        let lines = ApplicationWords.lines(map.applications, freeMemory: map.freeMemory).flatMap { line in
            style.isTerminal
                ? line.wrapped(to: max(style.width - indent.count, Self.minWidth)).map { indent + $0 } : [line]
        }
        return style.isTerminal ? [""] + lines : lines
    }

    private var files: [String] {
        let header = ["File", "Kind", "Size", "Read", "Write"]
        guard !map.files.isEmpty else { return [] }
        let rows = map.files.map { file in
            [
                file.identifier.hex, TerminalText.escaped(file.kind), "\(file.size) bytes",
                file.rights.map { FileWords.who($0.read, $0.readWrite) } ?? Self.access(file.readAccess),
                file.rights.map { FileWords.who($0.write, $0.readWrite) } ?? Self.access(file.writeAccess),
            ]
        }
        let widths = header.indices.map { column in ([header] + rows).map { $0[column].columns }.max() ?? 0 }
        let separator = style.isDecorated ? " " + style.paint("│", .faint) + " " : "  "
        let indent = style.isTerminal ? " " : ""
        let lines = ([header] + rows).enumerated().map { index, row in
            // The last column is not padded.
            let padded = zip(row, widths.dropLast() + [0]).map { $0.padded(to: $1) }
            let cells = padded.map { style.paint($0, index == 0 ? .heading : nil) }
            return indent + cells.joined(separator: separator)
        }
        return style.isTerminal ? [""] + lines : lines
    }

    /// Describes an access condition byte of the T4T capability container.
    private static func access(_ byte: UInt8) -> String {
        switch byte {
        case 0x00: "free"
        case 0xFF: "never"
        default: "limited (\(byte.hex))"
        }
    }
}
