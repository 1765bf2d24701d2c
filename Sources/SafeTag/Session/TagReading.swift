// The properties and content of one tag

public import Composing
import Hexadecimal
public import NDEF
public import ReaderInterface
public import ReaderSession
public import TagTypes
import WriteJournal

/// A tag as it was read, or as a change left it.
public struct TagReading: Sendable {
    /// The name of the tag's reader.
    public let reader: String
    /// The target as it was activated.
    public let target: Target
    /// The chip, or nil if it is not known.
    public fileprivate(set) var chip: Chip?
    /// Whether the tag can hold a message and has one, and the maximum length of a message.
    public var state: NDEFState
    /// The bytes of the message as stored, or none if the tag has no message.
    public let bytes: [UInt8]
    /// The message as records.
    ///
    /// It has no records if the tag has no message.
    public let message: NDEFMessage
    /// The dump file that was read, or nil for a tag on a reader.
    public var file: String?
    /// The reason why the tag could not be read, or nil if it was read.
    public var failure: (any Error)?
    /// True if a change to the tag was verified, and nil otherwise.
    public var isVerified: Bool?
    /// The content that the chip mirrors into the message, or nil if it mirrors none.
    ///
    /// A mirrored counter differs from one reading to the next.
    public var mirror: MirrorPlacement?
    /// Whether the chip fills in the message, or signs it, at each tap.
    ///
    /// Only copying a message sets this.
    public var isFilledIn = false
    /// The content that the source mirrored and that this tag holds as fixed characters.
    ///
    /// Only copying a message sets this.
    public var fixed: MirrorContent?
    /// True if a reading found that an earlier command on the tag was interrupted and must be recovered, and nil
    /// otherwise.
    public var isUnfinished: Bool?
    /// True if a reading or a scan found more tags in the field than the reader can distinguish, and nil otherwise.
    public var hasMoreTags: Bool?
    /// The new protection.
    ///
    /// Only a change of protection sets this.
    public var protection: Protection?
    /// The blocks of the message that anyone can still write.
    ///
    /// Only a change of protection sets this.
    public var openBlocks: [Int] = []

    /// The UID in upper-case hexadecimal.
    public var uid: String { target.identifier.hex }

    /// The bytes of the message, except those that the chip mirrors.
    public var lastingBytes: [UInt8] { mirror?.rest(of: bytes) ?? bytes }

    /// The chip's name, or the type known from activation.
    public var name: String { chip?.name ?? TagDetection.tagType(of: target).name }
}

extension TagReading {
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

    /// Creates the reading of a tag that is present but cannot be read.
    public init(unreadable target: Target, on reader: String, because failure: any Error) {
        self.init(
            reader: reader, target: target, chip: nil,
            state: NDEFState(status: .notSupported, capacity: 0, messageLength: nil, reason: "\(failure)"),
            bytes: [], message: NDEFMessage(records: []))
        self.failure = failure
    }
}

extension TagSession {
    /// Connects to a tag, and reads its status and its message.
    ///
    /// - Parameters:
    ///   - detected: the detected tag.
    ///   - new: a password to use instead of the session's, if this computer is known to have set it on the tag.
    /// - Returns: the content of the tag. A tag without a message has no records.
    /// - Throws: ``BrokenMessage``; `TagError`; the error that ended the session.
    public func read(_ detected: DetectedTag, orOpeningWith new: Type2Credential? = nil) async throws -> TagReading {
        try await readEvenBroken(detected, orOpeningWith: new).whole()
    }

    /// Reads a tag whose message will be replaced.
    ///
    /// A broken message becomes the ``TagReading/failure`` of the reading.
    private func readEvenBroken(
        _ detected: DetectedTag, orOpeningWith new: Type2Credential? = nil
    ) async throws -> TagReading {
        let tag = try await connect(to: detected, opening: unlocking(for: detected, orWith: new))
        var reading = try await currentReadingEvenBroken(of: tag)
        // The message has already been read, so it does not matter if the tag leaves now.
        if reading.state.status == .readWrite {
            reading.state.rights = try? await tag.perform { try ($0 as? Type4Tag)?.messageRights() }
        }
        reading.hasMoreTags = hasMoreTags ? true : nil
        return reading
    }

    /// Reads tags one after another.
    ///
    /// - Returns: the tags that could be read, their interrupted writes and restores, and the reason why the first of
    ///   the others could not be read.
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

    /// Returns the interrupted write that left a message broken, or nil if the journal has none.
    private func unfinishedWrite(on broken: TagReading) -> UnfinishedWrite? {
        guard let entry = try? journals.writes.entry(uid: broken.target.identifier),
            UnfinishedWork(entry, on: HeldMessage(broken)).leavesNoMessage
        else { return nil }
        return UnfinishedWrite(entry, leaving: .tornMessage)
    }

    /// Reads the status and message of a connected tag.
    ///
    /// Data that was already read in this connection is not read again.
    ///
    /// - Throws: ``BrokenMessage``; `TagError`; the error that ended the session.
    public func currentReading(of tag: ConnectedTag) async throws -> TagReading {
        try await currentReadingEvenBroken(of: tag).whole()
    }

    /// Reads like ``currentReading(of:)``, but a broken message becomes the ``TagReading/failure`` of the reading.
    package func currentReadingEvenBroken(of tag: ConnectedTag) async throws -> TagReading {
        let reader = reader
        return try await tag.perform { try TagReading(of: $0, on: reader) }
    }

    /// Adds the chip's model to the reading of a connected tag, even if an extra command is needed to determine it.
    ///
    /// This may need more exchanges, so it is only for callers that must know the model.
    package func identified(_ reading: TagReading, of tag: ConnectedTag) async throws -> TagReading {
        guard reading.chip?.model == nil else { return reading }
        var reading = reading
        reading.chip = try await tag.perform { try ($0 as? Type4Tag)?.identifiedChip() } ?? reading.chip
        return reading
    }

    /// Returns the name of a connected tag: the chip's name, or the type known from activation.
    ///
    /// It is the same in all commands.
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
        self.init(
            reader: reader, target: tag.channel.target, chip: tag.chip, state: state, holding: bytes,
            mirror: mirror.flatMap(MirrorPlacement.init))
    }

    /// Creates the reading of a tag that holds these bytes.
    ///
    /// A broken message is recorded as ``failure``.
    init(
        reader: String, target: Target, chip: Chip?, state: NDEFState, holding bytes: [UInt8],
        isVerified: Bool? = nil, mirror: MirrorPlacement? = nil
    ) {
        var (message, broken) = (NDEFMessage(records: []), BrokenMessage?.none)
        do { message = try NDEFMessage(onTag: bytes) } catch { broken = error }
        self.init(
            reader: reader, target: target, chip: chip, state: state, bytes: bytes, message: message,
            isVerified: isVerified, mirror: mirror)
        failure = broken
    }

    func whole() throws -> TagReading {
        if let failure { throw failure }
        return self
    }
}

extension DetectedTag {
    /// The UID in upper-case hexadecimal.
    public var uid: String { target.identifier.hex }
}

extension ConnectedTag {
    /// The UID in upper-case hexadecimal.
    public var uid: String { target.identifier.hex }
}
