// The replies of the process that holds the reader

import ReaderInterface

enum ReaderReply: Hashable {
    case done
    case version(String)
    case shown(Bool)
    /// A reader is open, with this connection string, this chip, and support for these technologies.
    ///
    /// The connection string of a USB reader may have a new device number. The chip is nil if it is not known.
    case opened(connection: String, chip: String?, technologies: [Technology])
    case connections([String])
    case listed([ListedReader])
    /// Whether the reader can send a command, or whether it hides that the command was refused, depending on the
    /// request.
    case carried(Bool)
    case targets(FoundTargets)
    case channel(ChannelLimits)
    case presence(Presence)
    case bytes([UInt8])
    case nibble(UInt8)
    /// Whether another reader activated this reader while it listened.
    case activated(Bool)
    /// No command came in time.
    case silence
    case failed(ReaderError)
}

struct ChannelLimits: Hashable {
    let maxCommandLength: Int
    let maxResponseLength: Int
    /// The maximum time until a target that does not answer is reported.
    let longestSilence: Duration
}

extension ReaderReply {
    private enum Code: UInt8, CaseIterable {
        case done, shown, opened, connections, targets, channel, presence, bytes, nibble, failed, activated, silence
        case version, listed, carried
    }

    static var names: [String] { Code.allCases.map { "\($0)" } }

    var encoded: [UInt8] {
        var writer = WireWriter()
        switch self {
        case .done: writer.byte(Code.done.rawValue)
        case .version(let version):
            writer.byte(Code.version.rawValue)
            writer.text(version)
        case .shown(let isShown):
            writer.byte(Code.shown.rawValue)
            writer.byte(isShown ? 1 : 0)
        case .opened(let connection, let chip, let technologies):
            writer.byte(Code.opened.rawValue)
            writer.text(connection)
            writer.optional(chip)
            writer.list(technologies.map(\.wireCode))
        case .connections(let connections):
            writer.byte(Code.connections.rawValue)
            writer.number(UInt64(connections.count))
            for connection in connections { writer.text(connection) }
        case .listed(let readers):
            writer.byte(Code.listed.rawValue)
            writer.number(UInt64(readers.count))
            for reader in readers {
                writer.text(reader.connection)
                writer.byte(reader.use.rawValue)
                writer.list(reader.device.map { [$0.bus, $0.number] } ?? [])
            }
        case .carried(let isCarried):
            writer.byte(Code.carried.rawValue)
            writer.byte(isCarried ? 1 : 0)
        case .targets(let found):
            writer.byte(Code.targets.rawValue)
            writer.byte(found.mayBeMore ? 1 : 0)
            writer.number(UInt64(found.count))
            for target in found { writer.target(target) }
        case .channel(let limits):
            writer.byte(Code.channel.rawValue)
            writer.number(UInt64(limits.maxCommandLength))
            writer.number(UInt64(limits.maxResponseLength))
            writer.duration(limits.longestSilence)
        case .presence(let presence):
            writer.byte(Code.presence.rawValue)
            writer.byte(presence.wireCode)
        case .bytes(let bytes):
            writer.byte(Code.bytes.rawValue)
            writer.list(bytes)
        case .nibble(let nibble):
            writer.byte(Code.nibble.rawValue)
            writer.byte(nibble)
        case .activated(let isActivated):
            writer.byte(Code.activated.rawValue)
            writer.byte(isActivated ? 1 : 0)
        case .silence: writer.byte(Code.silence.rawValue)
        case .failed(let error):
            writer.byte(Code.failed.rawValue)
            writer.error(error)
        }
        return writer.bytes
    }

    /// Decodes a reply.
    ///
    /// - Throws: ``WireReader/Broken`` for bytes that are not a reply.
    init(decoding bytes: [UInt8]) throws(WireReader.Broken) {
        var reader = WireReader(bytes)
        guard let code = Code(rawValue: try reader.byte()) else { throw WireReader.Broken() }
        switch code {
        case .done: self = .done
        case .version: self = .version(try reader.text())
        case .shown: self = .shown(try reader.byte() == 1)
        case .opened:
            let connection = try reader.text()
            let chip = try reader.optional()
            var technologies: [Technology] = []
            for code in try reader.list() { technologies.append(try Technology(wireCode: code)) }
            self = .opened(connection: connection, chip: chip, technologies: technologies)
        case .connections:
            var connections: [String] = []
            for _ in 0..<(try reader.count()) { connections.append(try reader.text()) }
            self = .connections(connections)
        case .listed:
            var readers: [ListedReader] = []
            for _ in 0..<(try reader.count()) { readers.append(try reader.listedReader()) }
            self = .listed(readers)
        case .carried: self = .carried(try reader.byte() == 1)
        case .targets:
            var found = FoundTargets([], mayBeMore: try reader.byte() == 1)
            for _ in 0..<(try reader.count()) { found.targets.append(try reader.target()) }
            self = .targets(found)
        case .channel:
            let lengths = (try reader.number(), try reader.number())
            guard (1...65_536).contains(lengths.0), (1...65_536).contains(lengths.1) else { throw WireReader.Broken() }
            self = .channel(
                ChannelLimits(
                    maxCommandLength: Int(lengths.0), maxResponseLength: Int(lengths.1),
                    longestSilence: min(try reader.duration(), .seconds(60))))
        case .presence: self = .presence(try Presence(wireCode: try reader.byte()))
        case .bytes: self = .bytes(try reader.list())
        case .nibble: self = .nibble(try reader.byte() & 0x0F)
        case .activated: self = .activated(try reader.byte() == 1)
        case .silence: self = .silence
        case .failed: self = .failed(try reader.error())
        }
        try reader.end()
    }
}
