// Initialising a blank tag before its first message, even if the tag leaves in between

import ReaderInterface
import ReaderSession
import TagTypes

extension TagChange {
    /// Initialises a blank tag after confirmation, if a message of this length will fit.
    ///
    /// If the tag leaves in the meantime, waits until it is back and continues.
    ///
    /// - Parameter length: the length of the message, in bytes.
    /// - Returns: the change with the current connection, and whether the tag was blank. If it was not blank, nothing
    ///   was changed.
    /// - Throws: `TagError` if the message does not fit or the tag refuses; ``WriteInterrupted`` if the tag left and
    ///   did not come back in time; ``RewrittenMeanwhile`` if it came back with a message; what the dialogue throws.
    public func initialisedIfBlank(for length: Int) async throws -> (change: TagChange, wasBlank: Bool) {
        guard let state = try await blankState(for: length) else { return (self, false) }
        if !state.needsOnlyTLV {
            try await ask(.initialise(tag, state)) { try await tag.perform { try $0.detect() } == state }
        }
        write.begun.note(tag.target.identifier)
        var wasAway = false
        let change = try await following { change in
            defer { wasAway = true }
            try await change.initialise(wasAway: wasAway)
        }
        write.supersedeRestore(of: change.tag)
        return (change, true)
    }

    /// Initialises the tag, or continues from its current state if it has been away.
    private func initialise(wasAway: Bool) async throws {
        let uid = tag.target.identifier
        try await tag.perform { tag in
            guard wasAway, let length = try tag.detect().messageLength else { return try tag.initialise() }
            guard length == 0 else { throw RewrittenMeanwhile(uid: uid, isJournaled: false) }
        }
    }

    /// Returns the state of a blank tag with room for a message of this length, or nil if the tag is not blank.
    ///
    /// - Throws: `TagError.tooLong`; the errors of `ForumTag.requireBlank()`.
    func blankState(for length: Int) async throws -> NDEFState? {
        // After an interrupted write, a tag may look blank without being blank.
        guard unfinished == nil else { return nil }
        let state = try await tag.perform { try $0.detect() }
        guard state.isBlank else { return nil }
        guard length <= state.capacity || state.capacity == 0 else {
            throw TagError.tooLong(length: length, capacity: state.capacity)
        }
        // Do not ask for confirmation if the tag cannot be initialised.
        try await tag.perform { try $0.requireBlank() }
        return state
    }
}
