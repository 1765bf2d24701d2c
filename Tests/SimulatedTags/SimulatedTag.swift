// A tag as bytes in a mapped file: a message whose length is written last, and a lock

import Synchronization

/// A tag in a box, with 240 bytes for a message, and the information on its label for the operator.
public struct SimulatedTag {
    /// The tag's position in the box.
    public let index: Int
    private let slot: UnsafeMutableRawPointer

    private static let (flags, length, lock, pile, home, message) = (7, 8, 10, 11, 12, 16)
    /// The maximum length of a message in bytes.
    public static let capacity = TagBox.slotSize - message

    init(index: Int, slot: UnsafeMutableRawPointer) { (self.index, self.slot) = (index, slot) }

    func deliver(isFaulty: Bool) {
        let serial = withUnsafeBytes(of: UInt64(index + 1).bigEndian) { Array($0.suffix(6)) }
        for (place, byte) in ([0x04] + serial).enumerated() { store(byte, at: place) }
        store(isFaulty ? 1 : 0, at: Self.flags)
    }

    private func load(_ offset: Int) -> UInt8 { slot.load(fromByteOffset: offset, as: UInt8.self) }
    private func store(_ byte: UInt8, at offset: Int) {
        slot.storeBytes(of: byte, toByteOffset: offset, as: UInt8.self)
        // If the process is killed now, all earlier stores have taken effect, and no later ones.
        atomicMemoryFence(ordering: .sequentiallyConsistent)
    }

    /// The UID of 7 bytes.
    public var uid: [UInt8] { (0..<7).map(load) }
    /// Whether the tag refuses to be written.
    public var isFaulty: Bool { load(Self.flags) & 1 > 0 }
    /// The message.
    ///
    /// Empty for a blank tag, and for a tag whose write was interrupted.
    public var content: [UInt8] { (0..<min(Int(load(Self.length)), Self.capacity)).map { load(Self.message + $0) } }
    /// Whether the tag is locked.
    public var isLocked: Bool { load(Self.lock) > 0 }

    /// Writes a message, with the length last.
    ///
    /// Calls `pause` in the middle.
    public func write(_ bytes: [UInt8], pause: () -> Void = {}) {
        precondition(bytes.count <= Self.capacity && !isLocked)
        store(0, at: Self.length)
        for (place, byte) in bytes.enumerated() {
            if place == bytes.count / 2 { pause() }
            store(byte, at: Self.message + place)
        }
        store(UInt8(bytes.count), at: Self.length)
    }

    /// Makes the tag blank again.
    public func erase() { store(0, at: Self.length) }

    /// Locks the tag.
    public func lock() { store(1, at: Self.lock) }

    /// The piles on which the operator puts tags.
    public enum Pile: UInt8 {
        /// Tags to be written or finished.
        case open
        /// Tags that are done.
        case done
        /// Tags that were refused permanently.
        case bin
    }

    /// The pile on which the tag is.
    public var pile: Pile {
        get { Pile(rawValue: load(Self.pile)) ?? .open }
        nonmutating set { store(newValue.rawValue, at: Self.pile) }
    }

    /// The station at which the operator will place the tag.
    ///
    /// This is the station that the last station named, or the station that was killed. Nil if any station will do.
    public var home: Int? {
        get { load(Self.home) == 0 ? nil : Int(load(Self.home)) - 1 }
        nonmutating set { store(newValue.map { UInt8($0 + 1) } ?? 0, at: Self.home) }
    }
}
