// Other keys for an NTAG 424 DNA, each proven, the key that allows it last — NXP NT4H2421Gx, 10.6.1

import NTAG424DNA
public import ReaderInterface
import ReaderSession
public import SecureDynamicMessaging
import TagTypes

/// Which keys a tag is to get.
public struct KeyChange: Hashable, Sendable {
    /// The keys that the tag has.
    public let old: SDMKeys
    /// The keys that it gets; those that are not named stay.
    public let new: SDMKeys
    /// The version of the new keys, readable without a key.
    public let version: UInt8

    /// Describes a change.
    public init(from old: SDMKeys, to new: SDMKeys, version: UInt8) {
        (self.old, self.new, self.version) = (old, new, version)
    }

    /// The numbers of the keys in the order of their change: key 0, which allows it, last.
    var order: [Int] { new.named.reversed() }
}

/// A change of keys before its first step.
public struct KeyChangeDraft: Hashable, Sendable {
    /// The tag.
    public let uid: [UInt8]
    /// The numbers of the keys that will be changed, in order.
    public let pending: [Int]
    /// The numbers of those that the tag has already.
    public let done: [Int]
    /// The version that the new keys get.
    public let version: UInt8
}

/// A change of keys that was begun and not proven.
public struct KeyChangeInterrupted: ClassifiedError, TellsWhatTheTagHolds {
    /// The numbers of the keys that were proven.
    public let changed: [Int]
    /// The number of the key that is the old or the new one.
    public let uncertain: Int?
    /// The numbers of those that are still the old ones.
    public let left: [Int]
    /// What interrupted it.
    public let cause: any ClassifiedError

    /// What kind of thing went wrong.
    public var kind: FailureKind { cause.kind }

    /// What happened, and what stands, in sentences.
    public var description: String {
        func list(_ numbers: [Int]) -> String {
            numbers.isEmpty ? "none" : numbers.map(String.init).joined(separator: ", ")
        }
        let state =
            "Keys changed and verified: \(list(changed)); old or new: \(list(uncertain.map { [$0] } ?? [])); "
            + "still the old ones: \(list(left))."
        return cause.kind == .interrupted ? state : "\(cause) \(state)"
    }
}

extension TagChange {
    /// Gives an NTAG 424 DNA other keys, and proves each by authentication.
    ///
    /// Key 0, which allows the change, comes last, so that a change that was cut off goes on with the same two sets of keys.
    /// - Returns: what was changed, and the change, with the current connection to the tag.
    /// - Throws: `TagError.wrongKey` before any change where a key is neither old nor new; ``KeyChangeInterrupted`` from the
    ///   first step on.
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

    /// Finds out which keys are the tag's; nothing is changed.
    func draft(_ keys: KeyChange) async throws -> KeyChangeDraft {
        let uid = tag.target.identifier
        return try await tag.perform { tag in
            try NTAG424.perform("authentication", on: tag) { chip throws(TagError) in
                var (pending, done) = ([Int](), [Int]())
                for number in keys.order {
                    if try chip.isChanged(number, keys) { done.append(number) } else { pending.append(number) }
                }
                // What allows the change is needed also where key 0 stays.
                if !pending.isEmpty { try chip.authenticate(0, anyOf: [keys.old[0], keys.new[0]]) }
                return KeyChangeDraft(uid: uid, pending: pending, done: done, version: keys.version)
            }
        }
    }

    /// Changes keys, one after the other.
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
    /// Whether a key is the new one, with its version.
    ///
    /// - Throws: `TagError.wrongKey` where it is neither the old nor the new one.
    mutating func isChanged(_ number: Int, _ keys: KeyChange) throws(TagError) -> Bool {
        let isNewVersion = try keyVersion(number) == keys.version
        let likely = isNewVersion ? [keys.new[number], keys.old[number]] : [keys.old[number], keys.new[number]]
        return try authenticate(number, anyOf: likely) == keys.new[number] && isNewVersion
    }

    /// Changes a key unless that was done, and proves it.
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
