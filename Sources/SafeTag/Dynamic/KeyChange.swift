// Changes the keys of an NTAG 424 DNA and verifies each. Key 0 is last because it allows the change — NXP NT4H2421Gx,
// 10.6.1

import NTAG424DNA
public import ReaderInterface
import ReaderSession
public import SecureDynamicMessaging
import TagTypes

/// A change of a tag's keys.
public struct KeyChange: Hashable, Sendable {
    /// The current keys of the tag.
    public let old: SDMKeys
    /// The new keys.
    ///
    /// Keys that are not named stay the same.
    public let new: SDMKeys
    /// The version of the new keys, which can be read without a key.
    public let version: UInt8

    /// Creates a change of keys.
    public init(from old: SDMKeys, to new: SDMKeys, version: UInt8) {
        (self.old, self.new, self.version) = (old, new, version)
    }

    /// The numbers of the changed keys, in the order of their change.
    ///
    /// Key 0, which allows the change, is last.
    var order: [Int] { new.named.reversed() }

    var staying: [Int] { SDMKeys.numbers.filter { !new.named.contains($0) } }

    /// All keys of the tag after the change.
    var result: SDMKeys {
        SDMKeys(
            [Int: AES128Key](
                uniqueKeysWithValues: SDMKeys.numbers.map { ($0, staying.contains($0) ? old[$0] : new[$0]) }))
    }
}

/// A change of keys as planned, before its first step.
public struct KeyChangeDraft: Hashable, Sendable {
    /// The tag's UID.
    public let uid: [UInt8]
    /// The numbers of the keys that will be changed, in order.
    public let pending: [Int]
    /// The numbers of the keys that are already changed.
    public let done: [Int]
    /// The version of the new keys.
    public let version: UInt8
    /// The numbers of the keys that are not changed.
    public let staying: [Int]
    /// The numbers of the keys that verify URLs and will be the same as key 0, which allows changes.
    public let alsoChanging: [Int]
}

/// A change of keys that was started but not completed.
public struct KeyChangeInterrupted: ClassifiedError, TellsWhatTheTagHolds {
    /// The numbers of the keys that were changed and verified.
    public let changed: [Int]
    /// The number of the key that may be either the old or the new one.
    ///
    /// Nil if there is none.
    public let uncertain: Int?
    /// The numbers of the keys that are still the old ones.
    public let left: [Int]
    /// The error that interrupted the change.
    public let cause: any ClassifiedError

    /// The kind of failure.
    public var kind: FailureKind { cause.kind }

    /// A description of what happened and of the tag's state, in sentences.
    public var description: String {
        func list(_ numbers: [Int]) -> String {
            numbers.isEmpty ? "none" : numbers.map(String.init).joined(separator: ", ")
        }
        let state =
            "Keys changed and verified: \(list(changed)); old or new: \(list(uncertain.map { [$0] } ?? [])); "
            + "still old: \(list(left))."
        return cause.kind == .interrupted ? state : "\(cause) \(state)"
    }
}

extension TagChange {
    /// Changes the keys of an NTAG 424 DNA, and verifies each by authentication.
    ///
    /// Key 0, which allows the change, comes last, so the same call with the same keys continues an interrupted change.
    /// - Returns: the draft of the change, and a value with the current connection to the tag.
    /// - Throws: `TagError.wrongKey` before any change if a key is neither old nor new; ``KeyChangeInterrupted`` from
    ///   the first step on.
    public func changeKeys(_ keys: KeyChange) async throws -> (draft: KeyChangeDraft, change: TagChange) {
        let draft = try await session.withoutChange {
            try requireLastingUID()
            let draft = try await self.draft(keys)
            if !draft.pending.isEmpty {
                try await ask(.changeKeys(draft)) { try await self.draft(keys) == draft }
            }
            return draft
        }
        return (draft, try await carryOut(keys, draft.pending))
    }

    /// Determines which keys the tag has, without changing anything.
    func draft(_ keys: KeyChange) async throws -> KeyChangeDraft {
        let uid = tag.target.identifier
        return try await tag.perform { tag in
            try NTAG424.perform("authentication", on: tag) { chip throws(TagError) in
                var (pending, done) = ([Int](), [Int]())
                for number in keys.order {
                    if try chip.isChanged(number, keys) { done.append(number) } else { pending.append(number) }
                }
                // Key 0 allows the change, so it is needed even if it is not changed itself.
                if !pending.isEmpty { try chip.authenticate(0, anyOf: [keys.old[0], keys.new[0]]) }
                return KeyChangeDraft(
                    uid: uid, pending: pending, done: done, version: keys.version, staying: keys.staying,
                    alsoChanging: keys.result.alsoChanging)
            }
        }
    }

    /// Changes keys one after another, in the order of `pending`.
    func carryOut(_ keys: KeyChange, _ pending: [Int]) async throws -> TagChange {
        var change = self
        if !pending.isEmpty { write.begun.note(tag.target.identifier) }
        for (index, number) in pending.enumerated() {
            do {
                change = try await change.following {
                    try await $0.tag.perform { tag in
                        try NTAG424.perform("ChangeKey", on: tag) { chip throws(TagError) in
                            try chip.change(number, keys)
                        }
                    }
                }
            } catch {
                throw KeyChangeInterrupted(
                    changed: Array(pending[..<index]), uncertain: number, left: Array(pending[(index + 1)...]),
                    cause: try Self.cause(of: error))
            }
        }
        return change
    }
}

extension NTAG424 {
    /// Whether a key already has its new value and the new version.
    ///
    /// - Throws: `TagError.wrongKey` if the key is neither the old nor the new one.
    mutating func isChanged(_ number: Int, _ keys: KeyChange) throws(TagError) -> Bool {
        let isNewVersion = try keyVersion(number) == keys.version
        let likely = isNewVersion ? [keys.new[number], keys.old[number]] : [keys.old[number], keys.new[number]]
        return try authenticate(number, anyOf: likely) == keys.new[number] && isNewVersion
    }

    /// Changes a key unless it is already changed, and verifies it.
    mutating func change(_ number: Int, _ keys: KeyChange) throws(TagError) {
        guard try !isChanged(number, keys) else { return }
        let old = try authenticate(number, anyOf: [keys.old[number], keys.new[number]])
        if number != 0 { try authenticate(0, anyOf: [keys.old[0], keys.new[0]]) }
        try changeKey(number, from: old, to: keys.new[number], version: keys.version)
        guard try isChanged(number, keys) else {
            throw .commandFailed(command: "ChangeKey", offset: nil, sw: nil)
        }
    }
}
