// Keys to try on MIFARE Classic cards, and the sectors that they opened, kept until the program ends
import Synchronization

/// The keys to try on MIFARE Classic cards, and the keys that have opened sectors of a card.
///
/// A key ring can be used from any thread. Keys that opened a sector are stored by the UID of the card, so they remain
/// known when the card is activated again.
///
/// ```swift
/// let ring = ClassicKeyRing()
/// ring.add([0x10, 0x20, 0x30, 0x40, 0x50, 0x60], from: .argument)
/// ```
public final class ClassicKeyRing: Sendable {
    /// The origin of a key.
    public enum Origin: Hashable, Sendable {
        /// The key is published, so it is not secret.
        case published
        /// The user entered the key.
        case argument
        /// The key comes from a file with this name.
        case file(String)
        /// The key was read from the card, or from a dump of the card.
        case card
    }

    private struct State {
        /// The added keys, in the order in which they are tried.
        var given: [[UInt8]] = []
        var origins: [[UInt8]: Origin] = [:]
        /// The keys that opened each sector, by UID and sector, the most recently used one last.
        var opened: [[UInt8]: [Int: [ClassicKey]]] = [:]
    }

    private let state = Mutex(State())

    /// Creates a ring with the well-known keys.
    public init() {}

    /// Adds a key, which is tried after the keys that were added earlier.
    ///
    /// Ignores keys that are not 6 bytes long.
    public func add(_ key: [UInt8], from origin: Origin) {
        guard key.count == ClassicKey.length, !ClassicKey.published.contains(key) else { return }
        state.withLock { state in
            guard state.origins.updateValue(origin, forKey: key) == nil else { return }
            state.given.append(key)
        }
    }

    /// Returns the origin of a key.
    ///
    /// A key that is neither published nor added is assumed to come from the card.
    public func origin(of key: [UInt8]) -> Origin {
        ClassicKey.published.contains(key) ? .published : state.withLock { $0.origins[key] } ?? .card
    }

    /// The added keys, in order, followed by the well-known keys.
    var all: [[UInt8]] { state.withLock(\.given) + ClassicKey.published }

    /// Returns the keys that opened sectors of a card: first the keys for this sector, then those for the other
    /// sectors.
    ///
    /// The most recently used key of each sector comes first.
    func opened(_ sector: Int, of uid: [UInt8]) -> [ClassicKey] {
        let opened = state.withLock { $0.opened[uid] } ?? [:]
        let others = opened.filter { $0.key != sector }.sorted { $0.key > $1.key }.flatMap { $0.value.reversed() }
        return (opened[sector] ?? []).reversed() + others
    }

    func note(_ key: ClassicKey, opens sector: Int, of uid: [UInt8]) {
        state.withLock { state in
            let others = (state.opened[uid]?[sector] ?? []).filter { $0 != key }
            state.opened[uid, default: [:]][sector] = others + [key]
        }
    }

    /// Forgets the keys that opened a sector, because its keys are about to change.
    func forget(_ sector: Int, of uid: [UInt8]) { state.withLock { $0.opened[uid]?[sector] = nil } }
}
