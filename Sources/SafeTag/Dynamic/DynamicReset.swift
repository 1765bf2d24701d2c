// Resetting an NTAG 424 DNA to its factory settings and keys — NXP NT4H2421Gx, 8.2.3

import NTAG424DNA
public import ReaderInterface
import ReaderSession
public import SecureDynamicMessaging
public import TagTypes

/// A factory reset as planned, before its first step.
public struct DynamicResetDraft: Hashable, Sendable {
    /// The current settings of the files that will be changed, by file number.
    public let files: [UInt8: NativeFileSettings]
    /// The change of keys.
    public let keys: KeyChangeDraft

    /// Whether the tag already has its factory settings and keys.
    public var isDone: Bool { files.isEmpty && keys.pending.isEmpty }
}

/// An interrupted factory reset.
public struct DynamicResetInterrupted: ClassifiedError, TellsWhatTheTagHolds {
    /// The progress of the key change.
    ///
    /// Nil until the files are verified to have factory settings.
    public let keys: KeyChangeInterrupted?
    /// The error that interrupted the reset.
    public let cause: any ClassifiedError

    /// The kind of failure.
    public var kind: FailureKind { cause.kind }

    /// A description of what happened and of the tag's state, in sentences.
    public var description: String {
        guard let keys else {
            let state =
                "Some files may already have factory settings. If so, the tag no longer signs its URL and can be written without a key. Its keys are unchanged."
            return cause.kind == .interrupted ? state : "\(cause) \(state)"
        }
        return "\(keys) Its files have factory settings."
    }
}

extension TagChange {
    /// Restores the factory settings and keys of an NTAG 424 DNA, and verifies them.
    ///
    /// The content of the tag's files stays the same. The settings are changed first, and then the keys, with key 0
    /// last. After an interruption, another call continues the reset.
    /// - Throws: `TagError.wrongKey` before any change; ``DynamicResetInterrupted`` from the first step on.
    public func resetToFactory(openedBy keys: SDMKeys) async throws -> DynamicResetDraft {
        let change = KeyChange(from: keys, to: .factory, version: 0)
        let draft = try await session.withoutChange {
            try requireLastingUID()
            let draft = try await self.draft(resetting: change)
            if !draft.isDone {
                try await ask(.resetToFactory(draft)) { try await self.draft(resetting: change) == draft }
            }
            return draft
        }
        var tagChange = self
        do {
            if !draft.files.isEmpty { tagChange = try await following { try await $0.resetFiles(change) } }
            _ = try await tagChange.carryOut(change, draft.keys.pending)
        } catch let keys as KeyChangeInterrupted {
            throw DynamicResetInterrupted(keys: keys, cause: keys.cause)
        } catch {
            throw DynamicResetInterrupted(keys: nil, cause: try Self.cause(of: error))
        }
        return draft
    }

    private func draft(resetting change: KeyChange) async throws -> DynamicResetDraft {
        let keys = try await draft(change)
        let files = try await tag.perform { tag in
            try NTAG424.perform("GetFileSettings", on: tag) { chip throws(TagError) in
                var files: [UInt8: NativeFileSettings] = [:]
                for file in NTAG424.File.allCases {
                    let now = try chip.fileSettings(file)
                    guard now != file.factorySettings else { continue }
                    guard now.rights.change != .never else {
                        throw .unsupported(reason: "the settings of its file \(file.rawValue) are frozen")
                    }
                    files[file.rawValue] = now
                }
                return files
            }
        }
        return DynamicResetDraft(files: files, keys: keys)
    }

    private func resetFiles(_ change: KeyChange) async throws {
        write.begun.note(tag.target.identifier)
        try await tag.perform { tag in
            try NTAG424.perform("ChangeFileSettings", on: tag) { chip throws(TagError) in
                for file in NTAG424.File.allCases {
                    let now = try chip.fileSettings(file)
                    guard now != file.factorySettings else { continue }
                    try chip.open(for: now.rights.change, [change.old, change.new])
                    try chip.changeFileSettings(file, to: file.factorySettings)
                    guard try chip.fileSettings(file) == file.factorySettings else {
                        throw .commandFailed(command: "ChangeFileSettings", offset: nil, sw: nil)
                    }
                }
            }
        }
    }
}
