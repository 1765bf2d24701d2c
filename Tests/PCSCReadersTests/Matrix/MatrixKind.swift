// A row of the table: a kind of tag as delivered, with a message, and with a password

import NDEF
import SafeTag
import TagImage
import TagTypes
import VirtualPCSC
import VirtualPN532

/// A kind of virtual tag, of any technology.
enum MatrixKind: Hashable, Sendable, CustomStringConvertible {
    case proximity(VirtualTagKind)
    case vicinity(ISO15693Chip)

    /// A PC/SC reader reports these kinds as a MIFARE Classic 1K or 4K.
    private static let likeOthers: Set<VirtualTagKind> = [
        .mifareMini, .classic2k, .mifarePlusSL1, .classic1kMagic, .classic1kMagic2,
    ]
    static let all =
        VirtualTagKind.allCases.filter { !likeOthers.contains($0) }.map(proximity) + ISO15693Chip.all.map(vicinity)

    var description: String {
        switch self {
        case .proximity(let kind): kind.rawValue
        case .vicinity(let chip): chip.id
        }
    }

    func make(serial: Int = 1) -> any VirtualTag {
        switch self {
        case .proximity(let kind): kind.make(serial: serial)
        case .vicinity(let chip): VirtualISO15693Tag(chip: chip, serial: UInt16(serial))
        }
    }

    /// The password or key that the tests set, or the password with which the tag is delivered.
    ///
    /// Nil if the kind has none.
    var credential: Type2Credential? {
        switch self {
        case .proximity(.ultralightC), .proximity(.ultralightAES): UltralightKey(Array(0..<16)).map { .key($0) }
        case .proximity(.ntag215Protected): .password(.delivered)
        default: Type2Password(pwd: [0x11, 0x22, 0x33, 0x44], pack: [0x55, 0x66]).map { .password($0) }
        }
    }
}

/// Tags of one kind in the states with which commands begin.
///
/// They are created on a reader that supports every command: a PN532, or an ACR1552U for ISO 15693.
struct PreparedKind: Sendable {
    let kind: MatrixKind
    /// The state with the first message, if the kind can hold one.
    let holding: State
    let other: State
    /// The state with the first message and a password, or nil for kinds without passwords.
    let protected: State?
    /// The dump of ``holding``, or nil for kinds that have none.
    let dump: TagImage?

    struct State: Sendable {
        let kind: MatrixKind
        private let content: Content

        private enum Content: Sendable {
            case delivered
            case file(String)
            case memory([UInt8])
            case systems([FeliCaSystem])
        }

        init(of tag: any VirtualTag, _ kind: MatrixKind) {
            self.kind = kind
            switch tag {
            case let tag as VirtualISO15693Tag: content = .memory(tag.contents)
            case let tag as VirtualTopazTag: content = .memory(tag.contents)
            case let tag as VirtualFeliCaStandardTag: content = .systems(tag.systems)
            case let tag as any PersistentTag: content = .file(tag.flipperText)
            default: content = .delivered
            }
        }

        /// Returns another tag in this state, with the same UID.
        func make() throws -> any VirtualTag {
            let tag = kind.make()
            switch (content, tag) {
            case (.file(let text), _): return try FlipperFile.parse(text)
            case (.memory(let bytes), let tag as VirtualISO15693Tag): tag.store(bytes, at: 0)
            case (.memory(let bytes), let tag as VirtualTopazTag): tag.store(bytes, at: 0)
            case (.systems(let systems), let tag as VirtualFeliCaStandardTag):
                for (index, system) in systems.enumerated() { tag.change(index) { $0 = system } }
            default: break
            }
            return tag
        }
    }

    static let messages = ["https://example.com/a", "https://example.org/bb"].map { uri in
        (try? NDEFMessage(records: [URIRecord(uri: uri).record()]).encoded()) ?? []
    }

    /// Creates the states.
    ///
    /// A kind that cannot hold messages stays in its state at delivery.
    init(_ kind: MatrixKind, at place: (any VirtualTag) async throws -> MatrixBench) async throws {
        self.kind = kind
        let tag = kind.make()
        let bench = try await place(tag)
        let delivered = State(of: tag, kind)
        let isWritable = (try? await bench.write(Self.messages[0])) != nil
        holding = State(of: tag, kind)
        dump = isWritable ? try? await bench.dump() : nil
        if isWritable {
            do { try await bench.write(Self.messages[1]) } catch {
                throw MatrixOutcome.Unproven(description: "\(kind) does not take a second message: \(error)")
            }
        }
        other = State(of: tag, kind)
        guard let credential = kind.credential else {
            protected = nil
            return
        }
        let second = try holding.make()
        let isProtected = (try? await place(second).protect(with: credential)) != nil
        protected = isProtected ? State(of: second, kind) : kind == .proximity(.ntag215Protected) ? delivered : nil
    }
}
