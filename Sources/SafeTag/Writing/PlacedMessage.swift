// A message to write, and the content that is mirrored into it — NXP NTAG21x, ASCII mirror function

public import Composing
public import NDEF
import ReaderSession
import TagTypes

/// The bytes of a message to store, and the content that the chip will mirror into them.
public struct PlacedMessage: Sendable {
    /// The bytes of the message.
    public let bytes: [UInt8]
    /// The mirrored content and its place, or nil for none.
    public let mirror: MirrorPlacement?

    /// Creates a message from its bytes.
    public init(bytes: [UInt8], mirror: MirrorPlacement?) { (self.bytes, self.mirror) = (bytes, mirror) }

    /// Creates a message from existing records and added ones, which follow them.
    public init(_ added: MirroredRecords, after existing: [NDEFRecord] = []) throws {
        bytes = try NDEFMessage(records: existing + added.records).encoded()
        mirror = try added.placement(after: existing)
    }
}

extension TagChange {
    /// Returns the message on the tag with the given records added.
    ///
    /// The mirror stays on. If that is not possible, asks for confirmation, because the mirrored content would become
    /// fixed characters.
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

    /// Returns the message of another tag, adapted so that this tag's chip mirrors its own UID or counter into it.
    ///
    /// If the chip cannot do this, asks for confirmation, because the copy would contain the other tag's values as
    /// fixed characters.
    public func message(copying original: TagReading) async throws -> PlacedMessage {
        // The content of this tag does not matter, because it will be replaced.
        if original.isFilledIn { try await ask(.writeFilledInCopy(of: original, to: tag)) { true } }
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
        // The content of this tag does not matter, because it will be replaced.
        try await ask(.writeCopy(of: original, fixing: mirror.content, characters: shown, to: tag)) { true }
        return PlacedMessage(bytes: original.bytes, mirror: nil)
    }
}
