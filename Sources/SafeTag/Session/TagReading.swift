// What one tag is and holds

public import Composing
import Hexadecimal
public import NDEF
public import ReaderInterface
public import ReaderSession
public import TagTypes
import WriteJournal

/// A tag as it was found, or as a change left it.
public struct TagReading: Sendable {
    /// The name of the reader it is on.
    public let reader: String
    /// The tag as it was activated.
    public let target: Target
    /// The chip; nil where it is not known.
    public fileprivate(set) var chip: Chip?
    /// Whether it can hold a message, does, and how long a message may be.
    public var state: NDEFState
    /// The message's bytes as stored; empty when there is none.
    public let bytes: [UInt8]
    /// The same as records; none when there is no message.
    public let message: NDEFMessage
    /// The dump file that was read; nil for a tag on a reader.
    public var file: String?
    /// Why the tag could not be read, if it could not.
    public var failure: (any Error)?
    /// Set after a write, when the tag was seen to hold the message.
    public var isVerified: Bool?
    /// What the chip shows in the message: a counter differs from one reading to the next.
    public var mirror: MirrorPlacement?
    /// Set by copy: what the source showed in the message and this tag holds as fixed characters.
    public var fixed: MirrorContent?
    /// Set by read when an earlier command on the tag was interrupted and must be recovered.
    public var isUnfinished: Bool?
    /// Set by read and scan when there are more tags in the field than the reader can distinguish.
    public var hasMoreTags: Bool?
    /// Set after a change of protection.
    public var protection: Protection?

    /// The UID in upper-case hexadecimal.
    public var uid: String { target.identifier.hex }

    /// The message's bytes without those the chip shows.
    public var lastingBytes: [UInt8] { mirror?.rest(of: bytes) ?? bytes }

    /// The chip's name, or what is known from activation.
    public var name: String { chip?.name ?? TagDetection.tagType(of: target).name }
}

extension TagReading {
    /// Describes a tag.
    package init(
        reader: String, target: Target, chip: Chip?, state: NDEFState, bytes: [UInt8], message: NDEFMessage,
        isVerified: Bool? = nil, mirror: MirrorPlacement? = nil
    ) {
        self.reader = reader
        self.target = target
        self.chip = chip
        self.state = state
        self.bytes = bytes
        self.message = message
        self.isVerified = isVerified
        self.mirror = mirror
    }

    /// A tag that is there and cannot be read.
    public init(unreadable target: Target, on reader: String, because failure: any Error) {
        self.init(
            reader: reader, target: target, chip: nil,
            state: NDEFState(status: .notSupported, capacity: 0, messageLength: nil, reason: "\(failure)"),
            bytes: [], message: NDEFMessage(records: []))
        self.failure = failure
    }
}

extension TagSession {
    /// Connects to a tag and reads its status and message.
    ///
    /// - Parameters:
    ///   - detected: the tag, as it was detected.
    ///   - new: a password that opens the tag instead, where this computer is known to have set it.
    /// - Returns: what the tag holds; a tag without a message has no records.
    /// - Throws: ``BrokenMessage``; `TagError`; why the session ended.
    public func read(_ detected: DetectedTag, orOpeningWith new: Type2Credential? = nil) async throws -> TagReading {
        try await readEvenBroken(detected, orOpeningWith: new).whole()
    }

    /// The same for a caller that replaces the message: a broken one is the ``TagReading/failure`` of its reading.
    package func readEvenBroken(
        _ detected: DetectedTag, orOpeningWith new: Type2Credential? = nil
    ) async throws -> TagReading {
        let tag = try await connect(to: detected, opening: unlocking(for: detected, orWith: new))
        var reading = try await currentReadingEvenBroken(of: tag)
        // The message was read, so it does not matter if the tag leaves now.
        if reading.state.status == .readWrite {
            reading.state.rights = try? await tag.perform { try ($0 as? Type4Tag)?.messageRights() }
        }
        reading.hasMoreTags = hasMoreTags ? true : nil
        return reading
    }

    /// Reads tags one after the other.
    ///
    /// - Returns: those that could be read; the writes and restores of them that were interrupted; and why the first of the
    ///   others could not be read.
    public func read(
        _ tags: [DetectedTag]
    ) async -> (readings: [TagReading], writes: [InterruptedWrite], restores: [HalfRestore], failure: (any Error)?) {
        var readings: [TagReading] = []
        var failure: (any Error)?
        var writes: [InterruptedWrite] = []
        var restores: [HalfRestore] = []
        for tag in tags {
            var reading: TagReading?
            do {
                let found = try await readEvenBroken(tag)
                if let broken = found.failure {
                    failure = failure ?? unfinishedWrite(on: found) ?? broken
                } else {
                    reading = found
                }
            } catch {
                failure = failure ?? error
            }
            if let held = reading.map({ HeldMessage($0) }),
                let write = InterruptedWrite.find(of: tag.target, holding: held, in: journals)
            {
                writes.append(write)
                reading?.isUnfinished = true
            }
            if let restore = await halfRestore(of: tag) {
                restores.append(restore)
                reading?.isUnfinished = true
            }
            if let reading { readings.append(reading) }
        }
        return (readings, writes, restores, failure)
    }

    /// The write that was interrupted and left a message broken; nil where the journal knows of none.
    private func unfinishedWrite(on broken: TagReading) -> UnfinishedWrite? {
        guard let entry = try? journals.writes.entry(uid: broken.target.identifier),
            UnfinishedWork(entry, on: HeldMessage(broken)).leavesNoMessage
        else { return nil }
        return UnfinishedWrite(entry, leaving: .tornMessage)
    }

    /// Reads the status and message of a connected tag; what was read before in this connection is not read again.
    ///
    /// - Throws: ``BrokenMessage``; `TagError`; why the session ended.
    public func currentReading(of tag: ConnectedTag) async throws -> TagReading {
        try await currentReadingEvenBroken(of: tag).whole()
    }

    /// The same for a caller that replaces the message: a broken one is the ``TagReading/failure`` of its reading.
    package func currentReadingEvenBroken(of tag: ConnectedTag) async throws -> TagReading {
        let reader = reader
        return try await tag.perform { try TagReading(of: $0, on: reader) }
    }

    /// The reading of a connected tag with the chip's model, also where the chip names it to a command of its own only.
    ///
    /// That costs exchanges, so it is for those who must know the model.
    package func identified(_ reading: TagReading, of tag: ConnectedTag) async throws -> TagReading {
        guard reading.chip?.model == nil else { return reading }
        var reading = reading
        reading.chip = try await tag.perform { try ($0 as? Type4Tag)?.identifiedChip() } ?? reading.chip
        return reading
    }

    /// The name of a connected tag, the same in all commands: the chip's, or what is known from activation.
    public func name(of tag: ConnectedTag) async throws -> String {
        try await tag.perform { $0.chip?.name } ?? TagDetection.tagType(of: tag.target).name
    }
}

extension TagReading {
    /// Reads the status and the message of a tag.
    ///
    /// A broken message is recorded as ``failure``.
    init(of tag: any ForumTag, on reader: String) throws(TagError) {
        let state = try tag.detectWhetherBlank()
        let isEmpty = state.messageLength.map { $0 == 0 } ?? true
        let mirror = try (tag as? Type2Tag)?.shownMirror()
        let bytes = isEmpty ? [] : try tag.readNDEF()
        var (message, broken) = (NDEFMessage(records: []), BrokenMessage?.none)
        do { message = try NDEFMessage(onTag: bytes) } catch { broken = error }
        self.init(
            reader: reader, target: tag.channel.target, chip: tag.chip, state: state, bytes: bytes, message: message,
            mirror: mirror.flatMap(MirrorPlacement.init))
        failure = broken
    }

    /// The reading of a tag that could be read.
    func whole() throws -> TagReading {
        if let failure { throw failure }
        return self
    }
}

extension DetectedTag {
    /// The UID as JSON shows it.
    public var uid: String { target.identifier.hex }
}

extension ConnectedTag {
    /// The UID as JSON shows it.
    public var uid: String { target.identifier.hex }
}
