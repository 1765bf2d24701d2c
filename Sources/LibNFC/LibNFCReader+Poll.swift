// Which targets are there: polls, and how several NFC-A targets are told apart — ISO/IEC 14443-3 type A

import Clibnfc
public import ReaderInterface

extension LibNFCReader {
    /// Looks once for targets; several NFC-A targets are told apart by putting each aside in turn.
    public func poll(for technologies: [Technology], settled: Set<[UInt8]>?) throws(ReaderError) -> FoundTargets {
        (current, foundAlone) = (nil, nil)
        if technologies.contains(.nfcA), let found = try glance(beside: settled) { return found }
        if !fieldUse.isFresh { try cycleField() }
        var found = FoundTargets([])
        for technology in technologies {
            if let settled, !found.allSatisfy({ settled.contains($0.identifier) }) { break }
            // A Type 1 Tag answers SENS_REQ but has no anticollision: a chip may report it under both names.
            let isOneExpected = settled != nil && technology == .nfcA
            found.add(try isOneExpected ? listAlone() : listTargets(with: technology))
        }
        if found.isEmpty { fieldUse = fieldUse.afterEmptyPoll }
        if case .nfcB(let card)? = found.first, found.count == 1, settled?.contains(card.nfcID0) != true {
            return try listTypeB()
        }
        return found
    }

    /// A card of type B that is alone, left selected.
    ///
    /// Found again after its field was off, it may have made up another PUPI (ISO/IEC 14443-3, ATQB). Beside other targets such
    /// a card cannot be told from one that came.
    private func listTypeB() throws(ReaderError) -> FoundTargets {
        try cycleField()
        guard let card = try selectAny(with: .nfcB) else { return [] }
        foundAlone = card
        return [card]
    }

    /// At most this many tags are told apart in one field: enough for any PN53x, and a bound for a chip that lies.
    private static let maximumTargets = 8

    /// Looks for NFC-A targets beside a settled one that is still selected, or in its place, without a new field.
    ///
    /// Nil when that is not possible, or finds none: a poll with a new field tells then.
    private func glance(beside settled: Set<[UInt8]>?) throws(ReaderError) -> FoundTargets? {
        guard let (target, after) = fieldUse.beside(settled), let next = try selectAny(with: .nfcA) else { return nil }
        guard next.identifier == target.identifier else { return try listAlone(from: next) }
        fieldUse = after
        return [next]
    }

    /// As ``listTargets(with:)`` for NFC-A where one target is expected, which is then left selected.
    private func listAlone() throws(ReaderError) -> FoundTargets {
        guard let first = try selectAny(with: .nfcA) else { return [] }
        return try listAlone(from: first)
    }

    /// A target that is alone is the next to be found, too: any other answers first, while it is on its way back.
    private func listAlone(from first: Target) throws(ReaderError) -> FoundTargets {
        guard fieldUse.hasOneSelected else { return try listTargets(with: .nfcA, from: first) }
        guard let next = try selectAny(with: .nfcA) else {
            // It has left, or does not come back by itself.
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

    /// The targets from the one on that is selected; another one after as many as are told apart shows that there are more.
    private func listTargets(with technology: Technology, from first: Target) throws(ReaderError) -> FoundTargets {
        var found = FoundTargets([])
        var next: Target? = first
        while let target = next {
            // Only NFC-A targets can be put aside (HLTA) so that others answer; and one seen before ends the list.
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
        // The chip forgets its target as it looks for one; only the target remembers.
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
    /// Adds what another look found; a target that is known already is the same one.
    fileprivate mutating func add(_ others: FoundTargets) {
        targets += others.filter { other in !contains { $0.identifier == other.identifier } }
        mayBeMore = mayBeMore || others.mayBeMore
    }
}
