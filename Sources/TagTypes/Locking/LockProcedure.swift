// Carrying out a lock, the same for all tag types: compare, set and read back, try to write, compare the rest

/// The memory of a tag, as a lock plan sees it.
protocol LockableMemory: AnyObject {
    /// What a piece reads now, from the tag.
    func contents(of piece: LockPiece) throws(TagError) -> [UInt8]
    /// Writes a piece; that it reads back is checked elsewhere.
    func set(_ piece: LockPiece) throws(TagError)
    /// Begins an activation in which all that was set counts.
    func beginAfresh() throws(TagError)
    /// Whether the tag refuses a write of the very bytes that a place holds.
    ///
    /// Silence is no refusal.
    func refusesWriting(_ place: LockedPlace) throws(TagError) -> Bool
    /// All that can be read and does not change by itself, from the tag, by names of places.
    func everything() throws(TagError) -> [String: [UInt8]]
    /// The places, by name, that a piece is in.
    func names(of piece: LockPiece) -> Set<String>
}

extension LockableMemory {
    /// Does nothing: what was set counts at once.
    func beginAfresh() throws(TagError) {}
}

/// One run of a lock plan.
struct LockProcedure {
    private let plan: LockPlan
    private let memory: any LockableMemory

    init(_ plan: LockPlan, in memory: any LockableMemory) {
        self.plan = plan
        self.memory = memory
    }

    /// Carries out the plan; of a plan without steps, verifies that the tag is locked.
    ///
    /// - Throws: before the first step ``TagError/changedSincePlanned(place:found:expected:)`` and what reading throws; then
    ///   ``TagError/lockInterrupted(done:missing:cause:)``. Of a plan without steps, the cause alone.
    func run() throws(TagError) {
        // Lock bits that read as set are no proof: only a refused write is.
        guard !plan.isEmpty else { return try proveEffect() }
        try compare()
        let before = try memory.everything()
        for (index, step) in plan.steps.enumerated() {
            do throws(TagError) {
                for piece in step.pieces { try perform(piece) }
            } catch {
                throw interruption(after: index, error)
            }
        }
        do throws(TagError) {
            try proveEffect()
            try compare(with: before)
        } catch {
            throw interruption(after: plan.steps.count, error)
        }
    }

    /// Makes sure that each place that the lock closes refuses a write.
    private func proveEffect() throws(TagError) {
        try memory.beginAfresh()
        for place in plan.locked where try !memory.refusesWriting(place) {
            throw .lockWithoutEffect(place: place.name)
        }
    }

    /// Makes sure that the tag is as the plan has it: what was confirmed is what happens.
    private func compare() throws(TagError) {
        var planned: Set<PlaceKey> = []
        for step in plan.steps {
            // A later piece of the same place begins with what an earlier one leaves.
            for piece in step.pieces where planned.insert(PlaceKey(piece)).inserted {
                let found = try memory.contents(of: piece)
                guard found == piece.old else {
                    throw .changedSincePlanned(place: step.place, found: found, expected: piece.old)
                }
            }
        }
    }

    private func perform(_ piece: LockPiece) throws(TagError) {
        try memory.set(piece)
        let found = try memory.contents(of: piece)
        // Other bits of the place are none of this step's business; those it sets must be there.
        guard found.count == piece.new.count, found == piece.new else {
            throw .commandFailed(
                command: "the change of lock bits", offset: piece.space == .memory ? piece.address : nil, sw: nil)
        }
    }

    private func compare(with before: [String: [UInt8]]) throws(TagError) {
        let changed = plan.steps.flatMap(\.pieces).reduce(into: Set<String>()) { $0.formUnion(memory.names(of: $1)) }
        let after = try memory.everything()
        for (name, bytes) in before.sorted(by: { $0.key < $1.key })
        where !changed.contains(name) && after[name] != bytes {
            throw .changedByLock(place: name)
        }
    }

    private func interruption(after count: Int, _ cause: TagError) -> TagError {
        .lockInterrupted(
            done: plan.steps[..<count].map(\.name), missing: plan.steps[count...].map(\.name), cause: cause)
    }

    private struct PlaceKey: Hashable {
        let space: LockPiece.Space
        let address: Int

        init(_ piece: LockPiece) { (space, address) = (piece.space, piece.address) }
    }
}
