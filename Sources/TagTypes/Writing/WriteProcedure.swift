// Carrying out a write plan, the same for all tag types: close, body, verify, open, verify — NFC Forum, NDEF Write
// Procedure

import ReaderInterface

/// The memory of one activated tag, as a write plan uses it.
protocol PlannedMemory: AnyObject {
    /// Returns the bytes of these spans, reading those that are not cached.
    func contents(of spans: [Span]) throws(TagError) -> [[UInt8]]
    /// Makes the next ``contents(of:)`` read these spans from the tag again.
    func forget(_ spans: [Span])
    func write(_ bytes: [UInt8], at address: Int) throws(TagError)
    /// Writes one or more of these pieces, starting with the first, as many as one command allows.
    ///
    /// - Returns: the number of pieces written.
    func write(firstOf pieces: ArraySlice<PlannedWrite>) throws(TagError) -> Int
    /// Whether an acknowledgement of a write has a checksum, so that noise cannot be mistaken for an acknowledgement.
    var isAcknowledgementChecked: Bool { get }
    /// Activates a tag that stopped answering, and forgets its cached memory, so that it can be read again.
    func reopen() throws(TagError)
}

extension TagError {
    /// Whether the tag did not answer, for whatever reason.
    fileprivate var isSilence: Bool {
        switch self {
        case .reader(.noAnswer), .noReliableAnswer: true
        default: false
        }
    }
}

/// Bytes to write at an address.
struct PlannedWrite: Hashable, Sendable {
    let address: Int
    let bytes: [UInt8]
}

extension PlannedMemory {
    func write(firstOf pieces: ArraySlice<PlannedWrite>) throws(TagError) -> Int {
        guard let piece = pieces.first else { return 0 }
        try write(piece.bytes, at: piece.address)
        return 1
    }
}

/// One execution of a write plan.
///
/// Pieces that already hold the right bytes are not written.
struct WriteProcedure {
    /// The progress of the procedure, which determines what an interruption leaves on the tag.
    private enum Phase {
        case closing, body, opening
        /// The message is visible. The bytes after it are being restored.
        case clearing
    }

    private let plan: WritePlan
    private let direction: WritePlan.Direction
    private let memory: any PlannedMemory
    private var phase = Phase.closing
    private var written = 0
    /// Whether the tag accepted a command, so that its contents may have changed.
    private var isAnythingTaken = false

    init(_ plan: WritePlan, _ direction: WritePlan.Direction, in memory: any PlannedMemory) {
        self.plan = plan
        self.direction = direction
        self.memory = memory
    }

    /// Writes the pieces that differ and verifies them.
    ///
    /// Does nothing if none differ.
    ///
    /// - Throws: ``TagError/unsupported(reason:)`` if the plan lacks the data to go backward; before the first write,
    ///   the error of a failed read; if the tag refuses the first command, that error unchanged; after that,
    ///   ``TagError/writeInterrupted(contents:written:of:cause:)``.
    mutating func run() throws(TagError) {
        guard let message = plan.message(direction) else {
            throw .unsupported(reason: "the old message was not read, so it cannot be brought back")
        }
        guard let last = plan.head.last, let open = last.bytes(direction) else {
            throw .unsupported(reason: "the write plan does not contain the tag's previous bytes")
        }
        let differing = try differingPieces()
        guard !differing.isEmpty else { return }
        let isUntouched = try holdsMessageFromBefore(last)
        do throws(TagError) {
            let isClosed = try close(last)
            written = plan.pieces.filter { !differing.contains($0.address) }.reduce(0) { $0 + $1.messageCount }
            let body = plan.body.filter { differing.contains($0.address) }
            let head = plan.head.filter { piece in
                if piece.address == last.address, isClosed { return open != plan.closed }
                return differing.contains(piece.address)
            }
            // In a plan without a closed state, the new message in the body is visible until the switch is undone.
            let isSwitchedFirst = plan.closed == nil && direction == .backward
            phase = isSwitchedFirst ? .opening : .body
            try write(isSwitchedFirst ? head : body)
            phase = isSwitchedFirst ? .clearing : .opening
            try write(isSwitchedFirst ? body : head)
        } catch {
            // A refused first command changed nothing, so its own error is the clearest. If an earlier run left
            // changes, the error is wrapped.
            switch error {
            case .commandFailed, .refused, .passwordUnsupported:
                if isUntouched, !isAnythingTaken { throw error }
            default: break
            }
            throw interruption(by: error, length: message.count)
        }
    }

    /// Returns the addresses of the pieces that differ from the result of this run.
    ///
    /// Pieces whose old bytes are unknown always count as different.
    private func differingPieces() throws(TagError) -> Set<Int> {
        let known = plan.pieces.filter(\.isOldKnown)
        var differing = Set(plan.pieces.filter { !$0.isOldKnown && $0.bytes(direction) != nil }.map(\.address))
        for (piece, found) in zip(known, try memory.contents(of: known.map(\.span)))
        where piece.bytes(direction) != found {
            differing.insert(piece.address)
        }
        return differing
    }

    /// Whether the tag shows the message that this run replaces, and not the remains of an interrupted run.
    private func holdsMessageFromBefore(_ last: WritePlan.Piece) throws(TagError) -> Bool {
        let before = direction == .forward ? last.old : last.new
        guard before.count == last.new.count else { return true }
        return try memory.contents(of: [last.span]).first == before
    }

    /// Makes the message on the tag invisible, and returns whether this was necessary.
    private mutating func close(_ last: WritePlan.Piece) throws(TagError) -> Bool {
        guard let closed = plan.closed, try memory.contents(of: [last.span]).first != closed else { return false }
        try memory.write(closed, at: last.address)
        isAnythingTaken = true
        // The old message must be invisible before the body changes. Otherwise an interruption could leave a mixture of
        // both messages.
        if !memory.isAcknowledgementChecked { try verify([(last, closed)]) }
        return true
    }

    private mutating func write(_ pieces: [WritePlan.Piece]) throws(TagError) {
        let writes = pieces.compactMap { piece in piece.bytes(direction).map { (piece, $0) } }
        var rest = writes.map { PlannedWrite(address: $0.0.address, bytes: $0.1) }[...]
        while !rest.isEmpty {
            let count = try memory.write(firstOf: rest)
            guard count > 0 else { throw .commandFailed(command: "a write", offset: rest.first?.address, sw: nil) }
            isAnythingTaken = true
            written += writes[rest.startIndex..<min(rest.startIndex + count, writes.count)].reduce(0) {
                $0 + $1.0.messageCount
            }
            rest = rest.dropFirst(count)
        }
        try verify(writes)
    }

    /// Reads pieces again and compares them, because an acknowledgement does not prove that the bytes were stored.
    private func verify(_ pieces: [(WritePlan.Piece, [UInt8])]) throws(TagError) {
        let spans = pieces.map { Span(address: $0.0.address, count: $0.1.count) }
        memory.forget(spans)
        for ((piece, bytes), found) in zip(pieces, try memory.contents(of: spans)) {
            guard found != bytes else { continue }
            let index = zip(found, bytes).enumerated().first { $1.0 != $1.1 }?.offset ?? min(found.count, bytes.count)
            throw .verificationFailed(offset: piece.messageOffset + min(index, max(0, piece.messageCount - 1)))
        }
    }

    private func interruption(by cause: TagError, length: Int) -> TagError {
        let (contents, cause) = aftermath(of: cause)
        return .writeInterrupted(contents: contents, written: min(written, length), of: length, cause: cause)
    }

    /// Returns the current contents of the tag, and the cause: `tagLost` if a missing answer meant that the tag left.
    ///
    /// While pieces other than the switch are written, the contents are known. Otherwise the tag is read.
    private func aftermath(of cause: TagError) -> (TagError.Contents, TagError) {
        let certain: TagError.Contents? =
            switch phase {
            case .body: plan.closed == nil ? .unchanged : .empty
            case .clearing: .new
            case .closing, .opening: nil
            }
        do throws(TagError) {
            try memory.reopen()
            if let certain { return (certain, cause) }
            guard let last = plan.head.last else { return (uncertain, cause) }
            let found = try memory.contents(of: [last.span]).first
            return (meaning(of: found, last) ?? uncertain, cause)
        } catch {
            return (certain ?? uncertain, cause.isSilence && error == .reader(.tagLost) ? error : cause)
        }
    }

    private func meaning(of found: [UInt8]?, _ last: WritePlan.Piece) -> TagError.Contents? {
        let (before, after) = direction == .forward ? (last.old, last.new) : (last.new, last.old)
        if phase == .closing, found == before { return .unchanged }
        if found == plan.closed { return .empty }
        guard phase == .opening else { return nil }
        return found == after ? .new : plan.closed == nil && found == before ? .unchanged : nil
    }

    private var uncertain: TagError.Contents {
        if plan.closed == nil { return .unchangedOrNew }
        return phase == .closing ? .unchangedOrEmpty : .emptyOrNew
    }
}
