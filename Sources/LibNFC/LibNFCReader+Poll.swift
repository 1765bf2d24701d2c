// Polling for targets, and separating several NFC-A targets — ISO/IEC 14443-3 type A

import Clibnfc
public import ReaderInterface

extension LibNFCReader {
    /// Polls once for targets.
    ///
    /// Separates several NFC-A targets by halting each in turn.
    public func poll(for technologies: [Technology], settled: Set<[UInt8]>?) throws(ReaderError) -> FoundTargets {
        (current, foundAlone) = (nil, nil)
        if technologies.contains(.nfcA), let found = try glance(beside: settled) { return found }
        if !fieldUse.isFresh { try cycleField() }
        var found = FoundTargets([])
        for technology in technologies {
            if let settled, !found.allSatisfy({ settled.contains($0.identifier) }) { break }
            // A Type 1 Tag answers SENS_REQ but has no anticollision. A chip may report it under both technologies.
            let isOneExpected = settled != nil && technology == .nfcA
            found.add(try isOneExpected ? listAlone() : listTargets(with: technology))
        }
        if found.isEmpty { fieldUse = fieldUse.afterEmptyPoll }
        if case .nfcB(let card)? = found.first, found.count == 1, settled?.contains(card.nfcID0) != true {
            return try listTypeB()
        }
        return found
    }

    /// Finds a single type B card and leaves it selected.
    ///
    /// When its field was off, the card may have changed its PUPI (ISO/IEC 14443-3, ATQB). If other targets are
    /// present, such a card cannot be distinguished from a new one.
    private func listTypeB() throws(ReaderError) -> FoundTargets {
        try cycleField()
        guard let card = try selectAny(with: .nfcB) else { return [] }
        foundAlone = card
        return [card]
    }

    /// The maximum number of tags to separate in one field.
    ///
    /// It is enough for any PN53x, and limits the work with a faulty chip.
    private static let maximumTargets = 8

    /// Looks, without a field reset, for NFC-A targets that have joined or replaced the selected target, if that target
    /// is settled.
    ///
    /// Returns nil if this is not possible or finds nothing. In both cases, a poll with a field reset is needed.
    private func glance(beside settled: Set<[UInt8]>?) throws(ReaderError) -> FoundTargets? {
        guard let (target, after) = fieldUse.beside(settled), let next = try selectAny(with: .nfcA) else { return nil }
        guard next.identifier == target.identifier else { return try listAlone(from: next) }
        fieldUse = after
        return [next]
    }

    /// Lists NFC-A targets like ``listTargets(with:)``, but expects a single target and leaves it selected.
    private func listAlone() throws(ReaderError) -> FoundTargets {
        guard let first = try selectAny(with: .nfcA) else { return [] }
        return try listAlone(from: first)
    }

    /// Checks whether a target is alone.
    ///
    /// If it is, the next search finds it again. If it is not, another target answers first.
    private func listAlone(from first: Target) throws(ReaderError) -> FoundTargets {
        guard fieldUse.hasOneSelected else { return try listTargets(with: .nfcA, from: first) }
        guard let next = try selectAny(with: .nfcA) else {
            // The target has left, or does not answer again until the field is reset.
            try cycleField()
            return try listTargets(with: .nfcA)
        }
        guard next.identifier == first.identifier else {
            var found: FoundTargets = [first]
            found.add(try listTargets(with: .nfcA, from: next))
            return found
        }
        foundAlone = next
        return [next]
    }

    private func listTargets(with technology: Technology) throws(ReaderError) -> FoundTargets {
        guard let first = try selectAny(with: technology) else { return [] }
        return try listTargets(with: technology, from: first)
    }

    /// Lists the targets, starting with the selected one.
    ///
    /// If one more target than the limit is found, there may be further ones.
    private func listTargets(with technology: Technology, from first: Target) throws(ReaderError) -> FoundTargets {
        var found = FoundTargets([])
        var next: Target? = first
        while let target = next {
            // Only NFC-A targets can be halted (HLTA) so that others answer. A target that was already found ends the
            // list.
            let isNew = !found.contains { $0.identifier == target.identifier }
            found.mayBeMore = isNew && found.count == Self.maximumTargets
            if isNew, !found.mayBeMore { found.targets.append(target) }
            try endSelection()
            guard isNew, technology == .nfcA, !found.mayBeMore else { break }
            next = try selectAny(with: technology)
        }
        return found
    }

    private func selectAny(with technology: Technology) throws(ReaderError) -> Target? {
        // When the chip looks for a target, it forgets the selected one. The target itself keeps its state.
        (hasSelection, foundAlone, connected) = (false, nil, nil)
        var target = nfc_target()
        let count = try selectPassiveTarget(technology, [], &target, "polling")
        guard count > 0 else { return nil }
        let found = Target(target)
        fieldUse = fieldUse.selecting(found)
        hasSelection = true
        return found
    }
}

extension FoundTargets {
    /// Adds the targets of another poll, except those that are already in the list.
    fileprivate mutating func add(_ others: FoundTargets) {
        targets += others.filter { other in !contains { $0.identifier == other.identifier } }
        mayBeMore = mayBeMore || others.mayBeMore
    }
}
