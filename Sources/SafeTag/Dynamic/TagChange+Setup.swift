// Setting up Secure Dynamic Messaging so that the same command continues after an interruption — NXP NT4H2421Gx, 9.3

import NDEF
import NTAG424DNA
import ReaderInterface
import ReaderSession
import SecureDynamicMessaging
import TagTypes

extension TagChange {
    /// The maximum number of times that the tag is read to verify its URL.
    ///
    /// A failed verification is repeated, because radio noise may have mixed the URLs of two readings.
    private static let mostTaps = 3

    /// Makes an NTAG 424 DNA fill in and sign a URL, and verifies it as a phone would see it.
    ///
    /// The keys are verified first. If the tag already fills in values and gets another message, it first stops filling
    /// in values. After that, the message is written like any other, and the settings follow in one command. A repeated
    /// setup continues where the last one was interrupted.
    ///
    /// - Throws: `TagError.unsupported` for other tags, `TagError.wrongKey`, `TagError.factoryKeys`, `TagError.tooLong`
    ///   before any change; ``SDMSetupInterrupted`` from the first step on.
    public func setUp(_ setup: SDMSetup) async throws -> SDMProof {
        let draft = try await session.withoutChange {
            try requireLastingUID()
            let draft = try await self.draft(setup)
            if !draft.isDone {
                try await ask(.setUp(draft)) { try await self.draft(setup) == draft }
            }
            return draft
        }
        write.begun.note(tag.target.identifier)
        var change = self
        if draft.needsOpening {
            change = try await change.step(.opening) {
                try await $0.change(to: SDMSetup.opened(draft.before), setup.keys)
            }
        }
        if draft.replacesMessage {
            change = try await Self.told(.writing) {
                try await change.persistently { try await $0.continued().written(setup.message) }
            }
        }
        if !draft.isDone {
            change = try await change.step(.closing) { try await $0.change(to: draft.wanted, setup.keys) }
        }
        return try await Self.told(.unproven) {
            try await change.persistently { try await $0.proven(setup, wasDone: draft.isDone) }
        }
    }

    /// Checks whether a tag can get other keys and then be set up, without changing anything.
    ///
    /// - Throws: `TagError.wrongKey`, `TagError.tooLong`, `TagError.unsupported`.
    package func requireSetUp(_ setup: SDMSetup, after change: KeyChange) async throws {
        try requireLastingUID()
        _ = try await draft(change)
        try await tag.perform { tag in
            try NTAG424.perform("GetFileSettings", on: tag) { chip throws(TagError) in
                try setup.requireFit(in: chip.fileSettings(.ndef))
            }
        }
    }

    /// Reads the tag and verifies the keys, without changing anything.
    private func draft(_ setup: SDMSetup) async throws -> SDMSetupDraft {
        let uid = tag.target.identifier
        return try await tag.perform { tag in
            try NTAG424.perform("the setup", on: tag) { chip throws(TagError) in
                let before = try chip.fileSettings(.ndef)
                try setup.requireFit(in: before)
                // Authenticate even if anyone may change the settings: within a session, the tag returns the message as
                // written.
                let opener = if case .key(let number) = before.rights.change { number } else { 0 }
                try chip.authenticate(opener, toldFromFactory: setup.keys[opener])
                let (held, content) = try Self.stored(in: before, for: setup, readBy: &chip)
                var used = [SDMKeys.fileReadNumber]
                if setup.layout.places[.picc] != nil { used.append(SDMKeys.metaReadNumber) }
                for number in used where number != opener {
                    try chip.authenticate(number, toldFromFactory: setup.keys[number])
                }
                return SDMSetupDraft(
                    uid: uid, address: setup.layout.address, before: before, wanted: setup.settings(replacing: before),
                    held: held, replacesMessage: content != setup.content, changes: setup.layout.changes,
                    hasFactoryKeys: used.contains { setup.keys[$0] == .factory },
                    alsoChanging: setup.keys.alsoChanging.filter(used.contains))
            }
        }
    }

    /// Reads the stored message, and reads as many bytes of the file as a setup writes.
    ///
    /// If the stored length exceeds the file, the message ends at the end of the file.
    private static func stored(
        in file: NativeFileSettings, for setup: SDMSetup, readBy chip: inout NTAG424
    ) throws(TagError) -> (message: [UInt8], content: [UInt8]) {
        let offset = SDMSetup.messageOffset
        var bytes = try chip.read(.ndef, count: setup.content.count, file)
        let end = min(offset + Int(bytes[0]) << 8 + Int(bytes[1]), file.size ?? bytes.count)
        if end > bytes.count { bytes = try chip.read(.ndef, count: end, file) }
        return (Array(bytes[..<end].dropFirst(offset)), Array(bytes.prefix(setup.content.count)))
    }

    /// Changes the settings of the NDEF file, unless the file already has them.
    private func change(to wanted: NativeFileSettings, _ keys: SDMKeys) async throws {
        try await tag.perform { tag in
            try NTAG424.perform("ChangeFileSettings", on: tag) { chip throws(TagError) in
                let now = try chip.fileSettings(.ndef)
                guard now != wanted else { return }
                try chip.open(for: now.rights.change, [keys])
                try chip.changeFileSettings(.ndef, to: wanted)
                guard try chip.fileSettings(.ndef) == wanted else {
                    throw .commandFailed(command: "ChangeFileSettings", offset: nil, sw: nil)
                }
            }
        }
    }

    /// Reads the tag as a phone does, and verifies the URL that it returns.
    private func proven(_ setup: SDMSetup, wasDone: Bool) async throws -> SDMProof {
        var attempt = 1
        while true {
            let change = try await afterPowerUp()
            var reading = try await session.currentReading(of: change.tag)
            do throws(SDMError) {
                let (address, tap) = try setup.verified(reading)
                reading.isVerified = true
                return SDMProof(reading: reading, address: address, tap: tap, wasDone: wasDone)
            } catch {
                guard attempt < Self.mostTaps else { throw AddressNotProven(error: error) }
                attempt += 1
            }
        }
    }
}

extension TagChange {
    /// Checks that the UID is fixed.
    ///
    /// If the UID is different at each activation, the tag cannot be found again.
    func requireLastingUID() throws(TagError) {
        guard tag.target.identifier.count == 7 else {
            throw .unsupported(
                reason: "it shows a random UID, so it cannot be recognised after the field has been off")
        }
    }

    /// Returns the reason why a change of keys or settings ended.
    ///
    /// - Throws: the error itself if it did not come from a tag, a reader or the session.
    static func cause(of error: any Error) throws -> any ClassifiedError {
        if let error = TagError(after: error) { return error }
        guard let error = error as? any ClassifiedError else { throw error }
        return error
    }

    /// Performs a step of the setup.
    ///
    /// If the tag leaves, waits until it is back, and repeats the step.
    private func step(
        _ standing: SDMSetupInterrupted.Standing, _ work: (TagChange) async throws -> Void
    ) async throws -> TagChange {
        try await Self.told(standing) { try await following(work) }
    }

    /// Adds the progress of the setup to an error.
    private static func told<Value>(
        _ standing: SDMSetupInterrupted.Standing, _ work: () async throws -> Value
    ) async throws -> Value {
        do {
            return try await work()
        } catch {
            throw SDMSetupInterrupted(standing: standing, cause: try Self.cause(of: error))
        }
    }
}
