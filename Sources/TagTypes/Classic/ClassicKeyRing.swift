// Keys to try on MIFARE Classic cards, and which of them opened what — what one run of a program knows
import Synchronization

/// Keys of MIFARE Classic cards that may be tried, and those that opened a sector of a card.
///
/// Any thread. What opened a sector is remembered by the card's UID, also when the card is activated again.
///
/// ```swift
/// let ring = ClassicKeyRing()
/// ring.add([0x10, 0x20, 0x30, 0x40, 0x50, 0x60], from: .argument)
/// ```
public final class ClassicKeyRing: Sendable {
    /// Where a key comes from.
    public enum Origin: Hashable, Sendable {
        /// It is published, so it is no secret.
        case published
        /// The user typed it.
        case argument
        /// It is in a file of this name.
        case file(String)
        /// It was read from the card, or is in the dump of it.
        case card
    }

    private struct State {
        /// In the order in which they are tried.
        var given: [[UInt8]] = []
        var origins: [[UInt8]: Origin] = [:]
        /// By UID and sector, the last one that opened it last.
        var opened: [[UInt8]: [Int: [ClassicKey]]] = [:]
    }

    private let state = Mutex(State())

    /// Creates a ring with the well-known keys.
    public init() {}

    /// Adds a key, which is tried after those added before; one that is no 6 bytes long is left out.
    public func add(_ key: [UInt8], from origin: Origin) {
        guard key.count == ClassicKey.length, !ClassicKey.published.contains(key) else { return }
        state.withLock { state in
            guard state.origins.updateValue(origin, forKey: key) == nil else { return }
            state.given.append(key)
        }
    }

    /// Where a key comes from; one that was not added is the card's.
    public func origin(of key: [UInt8]) -> Origin {
        ClassicKey.published.contains(key) ? .published : state.withLock { $0.origins[key] } ?? .card
    }

    /// The keys that were added, in order, then the well-known ones.
    var all: [[UInt8]] { state.withLock(\.given) + ClassicKey.published }

    /// The keys that opened a sector of a card, the last one first; then those that opened its other sectors.
    func opened(_ sector: Int, of uid: [UInt8]) -> [ClassicKey] {
        let opened = state.withLock { $0.opened[uid] } ?? [:]
        let others = opened.filter { $0.key != sector }.sorted { $0.key > $1.key }.flatMap { $0.value.reversed() }
        return (opened[sector] ?? []).reversed() + others
    }

    /// Notes that a key opened a sector.
    func note(_ key: ClassicKey, opens sector: Int, of uid: [UInt8]) {
        state.withLock { state in
            let others = (state.opened[uid]?[sector] ?? []).filter { $0 != key }
            state.opened[uid, default: [:]][sector] = others + [key]
        }
    }

    /// Forgets what opened a sector: its keys change.
    func forget(_ sector: Int, of uid: [UInt8]) { state.withLock { $0.opened[uid]?[sector] = nil } }
}
