// A message to write and what the chip shows in it, also after records or on another tag — NXP NTAG21x, ASCII mirror function

public import Composing
public import NDEF
import ReaderSession
import TagTypes

/// A message as it is stored, and what the chip is to show in it.
public struct PlacedMessage: Sendable {
    /// Its bytes.
    public let bytes: [UInt8]
    /// What the chip shows; nil for nothing.
    public let mirror: MirrorPlacement?

    /// A message.
    public init(bytes: [UInt8], mirror: MirrorPlacement?) { (self.bytes, self.mirror) = (bytes, mirror) }

    /// The message of records after others.
    public init(_ added: MirroredRecords, after existing: [NDEFRecord] = []) throws {
        bytes = try NDEFMessage(records: existing + added.records).encoded()
        mirror = try added.placement(after: existing)
    }
}

extension TagChange {
    /// The message on the tag with further records; the chip goes on showing what it shows.
    ///
    /// Asks where that is not possible: what is shown would stay as fixed characters.
    public func message(adding added: MirroredRecords) async throws -> PlacedMessage {
        let existing = try await records()
        guard let shown = try await tag.perform({ try ($0 as? Type2Tag)?.shownMirror() }), let content = shown.content
        else { return try PlacedMessage(added, after: existing) }
        let message = try await tag.perform { try $0.readNDEF() }
        if added.content == nil, let moved = MirrorPlacement(shown)?.moved(in: message, adding: added.records) {
            return PlacedMessage(bytes: moved.message, mirror: moved.placement)
        }
        let held = try await tag.perform { try HeldMessage.read(from: $0) }
        try await ask(.addRecords(turningOff: content, isInOneRecord: added.content != nil)) {
            try await tag.perform { try HeldMessage.read(from: $0) }.isSame(as: held)
        }
        return try PlacedMessage(added, after: existing)
    }

    /// A message that another tag holds, for this one: its chip shows its own UID or counter in it.
    ///
    /// Asks where it cannot: what the other tag showed would be fixed characters in the copy.
    public func message(copying original: TagReading) async throws -> PlacedMessage {
        guard let mirror = original.mirror else { return PlacedMessage(bytes: original.bytes, mirror: nil) }
        do {
            try await requireMirror(for: mirror.content)
            return PlacedMessage(bytes: mirror.stored(original.bytes), mirror: mirror)
        } catch {
            switch error {
            case TagError.unsupported, TagError.readOnly: break
            default: throw error
            }
        }
        let shown = String(
            decoding: original.bytes.dropFirst(mirror.offset).prefix(mirror.content.length), as: UTF8.self)
        // Whatever the tag holds is replaced.
        try await ask(.writeCopy(of: original, fixing: mirror.content, characters: shown, to: tag)) { true }
        return PlacedMessage(bytes: original.bytes, mirror: nil)
    }
}
