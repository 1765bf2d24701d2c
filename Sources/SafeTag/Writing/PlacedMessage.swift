// A message to write with its mirrored content, even on another tag — NXP NTAG21x, ASCII mirror function

public import Composing
public import NDEF
import ReaderSession
import TagTypes

/// A message as it is stored, and the content that the chip will mirror into it.
public struct PlacedMessage: Sendable {
    /// The bytes of the message.
    public let bytes: [UInt8]
    /// The mirrored content and its place, or nil for none.
    public let mirror: MirrorPlacement?

    /// Creates a message from its bytes.
    public init(bytes: [UInt8], mirror: MirrorPlacement?) { (self.bytes, self.mirror) = (bytes, mirror) }

    /// Creates a message from records that follow existing ones.
    public init(_ added: MirroredRecords, after existing: [NDEFRecord] = []) throws {
        bytes = try NDEFMessage(records: existing + added.records).encoded()
        mirror = try added.placement(after: existing)
    }
}

extension TagChange {
    /// The message on the tag with further records.
    ///
    /// The chip keeps its mirror. Asks for confirmation if that is not possible, because the mirrored content would
    /// become fixed characters.
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

    /// The message of another tag, adapted so that this tag's chip mirrors its own UID or counter into it.
    ///
    /// Asks for confirmation if the chip cannot do this, because the copy would contain fixed characters.
    public func message(copying original: TagReading) async throws -> PlacedMessage {
        // The content of the tag does not matter, because it is replaced.
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
        // The content of the tag does not matter, because it is replaced.
        try await ask(.writeCopy(of: original, fixing: mirror.content, characters: shown, to: tag)) { true }
        return PlacedMessage(bytes: original.bytes, mirror: nil)
    }
}
