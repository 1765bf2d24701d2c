// A box of simulated tags: a file that processes map into memory, so its tags survive the process that wrote them

import Foundation
import Glibc

/// A box from which many processes draw tags.
///
/// Only one process at a time has a tag.
///
/// The file begins with the number of tags and the number of released tags. They are followed by the moment of each
/// station, one byte each, and a slot for each tag. A process holds a tag by a lock on its slot (fcntl(2)), which ends
/// with the process.
public final class TagBox: @unchecked Sendable {
    /// The number of tags.
    public let count: Int
    private let descriptor: Int32
    private let memory: UnsafeMutableRawPointer
    private let size: Int

    private static let (releasedOffset, momentsOffset, firstSlot) = (8, 64, 4096)
    static let slotSize = 256
    /// The maximum number of stations at a box.
    public static let maximumStations = 256

    /// A file that cannot be used.
    public struct Failure: Error {
        /// The error number of the system.
        public let code: Int32
    }

    /// Creates a box of blank tags, of which none is released yet.
    ///
    /// `isFaulty` returns whether the tag at an index refuses to be written. Fails if a file exists at the path.
    public static func make(at path: String, tags count: Int, isFaulty: (Int) -> Bool = { _ in false }) throws -> TagBox
    {
        let file = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0o644)
        guard file >= 0 else { throw Failure(code: errno) }
        defer { close(file) }
        guard ftruncate(file, off_t(firstSlot + count * slotSize)) == 0 else { throw Failure(code: errno) }
        let box = try TagBox(path)
        for index in 0..<count { box[index].deliver(isFaulty: isFaulty(index)) }
        return box
    }

    /// Opens a box.
    public init(_ path: String) throws(Failure) {
        descriptor = open(path, O_RDWR | O_CLOEXEC)
        var status = stat()
        guard descriptor >= 0, fstat(descriptor, &status) == 0 else { throw Failure(code: errno) }
        size = Int(status.st_size)
        count = (size - Self.firstSlot) / Self.slotSize
        guard let memory = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0), memory != MAP_FAILED
        else { throw Failure(code: errno) }
        self.memory = memory
    }

    deinit {
        munmap(memory, size)
        close(descriptor)
    }

    /// The number of tags that stations may draw.
    public var released: Int {
        get { Int(memory.load(fromByteOffset: Self.releasedOffset, as: UInt32.self)) }
        set { memory.storeBytes(of: UInt32(newValue), toByteOffset: Self.releasedOffset, as: UInt32.self) }
    }

    /// The current work of a station, or its work when it was killed.
    public subscript(momentOf station: Int) -> StationMoment {
        get {
            StationMoment(rawValue: memory.load(fromByteOffset: Self.momentsOffset + station, as: UInt8.self)) ?? .idle
        }
        set { memory.storeBytes(of: newValue.rawValue, toByteOffset: Self.momentsOffset + station, as: UInt8.self) }
    }

    /// A tag.
    public subscript(index: Int) -> SimulatedTag {
        SimulatedTag(index: index, slot: memory + Self.firstSlot + index * Self.slotSize)
    }

    /// Takes a tag, and returns false while another process has it.
    public func take(_ index: Int) -> Bool { lock(index, Int16(F_WRLCK)) }

    /// Releases a tag.
    public func putDown(_ index: Int) { _ = lock(index, Int16(F_UNLCK)) }

    private func lock(_ index: Int, _ kind: Int16) -> Bool {
        var range = flock(l_type: kind, l_whence: Int16(SEEK_SET), l_start: off_t(index), l_len: 1, l_pid: 0)
        return fcntl(descriptor, F_SETLK, &range) == 0
    }
}
