// Carrying out a lock on any type of tag: compare, set and read back, try to write, compare the rest

/// The operations on a tag's memory that carrying out a lock plan needs.
protocol LockableMemory: AnyObject {
    /// Reads the current bytes of a piece from the tag.
    func contents(of piece: LockPiece) throws(TagError) -> [UInt8]
    /// Writes a piece. The caller verifies it by reading it back.
    func set(_ piece: LockPiece) throws(TagError)
    /// Starts a new activation, in which everything that was set takes effect.
    func beginAfresh() throws(TagError)
    /// Whether the tag refuses a write of the bytes that a place already holds.
    ///
    /// A missing answer is not a refusal.
    func refusesWriting(_ place: LockedPlace) throws(TagError) -> Bool
    /// Reads everything that can be read and that the tag does not change by itself, by place name.
    func everything() throws(TagError) -> [String: [UInt8]]
    /// Returns the names of the places that contain a piece.
    func names(of piece: LockPiece) -> Set<String>
}

extension LockableMemory {
    /// Does nothing, because changes take effect immediately.
    func beginAfresh() throws(TagError) {}
}

/// The procedure that carries out a lock plan once.
struct LockProcedure {
    private let plan: LockPlan
    private let memory: any LockableMemory

    init(_ plan: LockPlan, in memory: any LockableMemory) {
        self.plan = plan
        self.memory = memory
    }

    /// Carries out the plan.
    ///
    /// If the plan has no steps, only verifies that the tag is locked.
    ///
    /// - Throws: before the first step, ``TagError/changedSincePlanned(place:found:expected:)`` and what reading
    ///   throws; after that, ``TagError/lockInterrupted(done:missing:cause:)``. For a plan without steps, the cause
    ///   itself.
    func run() throws(TagError) {
        // Lock bits that read as set do not prove that the tag is locked. Only a refused write does.
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

    private func proveEffect() throws(TagError) {
        try memory.beginAfresh()
        for place in plan.locked where try !memory.refusesWriting(place) {
            throw .lockWithoutEffect(place: place.name)
        }
    }

    /// Checks that the tag still matches the plan, so that only the confirmed changes are made.
    private func compare() throws(TagError) {
        var planned: Set<PlaceKey> = []
        for step in plan.steps {
            // A later piece of the same place starts from the bytes that an earlier piece leaves.
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
        // All bytes of the place, including the bits that this step sets, must read as planned.
        guard found.count == piece.new.count, found == piece.new else {
            throw .commandFailed(
                command: "the change to lock bits", offset: piece.space == .memory ? piece.address : nil, sw: nil)
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
