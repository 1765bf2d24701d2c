// The results of a verification in words

extension TagCheck.Problem {
    /// The problem as a clause without its subject, the tag.
    public var words: String {
        switch self {
        case .unknownTag: "has no row in this plan"
        case .unfinished: "its row is not finished"
        case .otherChip: "has another chip"
        case .contentChanged: "holds another message"
        case .erased: "was erased"
        case .unreadable: "cannot be read"
        case .notLocked: "is not locked"
        case .locked: "is locked, but its row does not require a lock"
        case .lockUnknown: "does not show whether it is locked"
        case .notProtected: "requires no password"
        case .protected: "requires a password, but its row does not require one"
        case .passwordUnknown: "does not show whether it requires a password"
        case .wrongPassword: "refuses the password"
        case .passwordNotTried: "its password was not tried"
        case .partlyProtected: "its password does not protect all blocks"
        case .readingProtected: "requires the password even for reading"
        case .otherSignature: "its signature has changed since the tag was written"
        }
    }
}

extension TagCheck {
    /// The problems in words, or `agrees` if there are none.
    public var words: String { agrees ? "agrees" : problems.map { words(for: $0) }.joined(separator: "; ") }

    private func words(for problem: Problem) -> String {
        // Nobody erased the tag of a row that was not written completely.
        if problem == .erased, row?.state == .bound || row?.state == .written { return "holds no message yet" }
        guard problem == .partlyProtected, let protectedFrom else { return problem.words }
        return "its password protects only the blocks from \(protectedFrom) onwards"
    }
}

extension VerificationSummary {
    /// A text that states how many tags agree and which rows were not seen.
    public var text: String {
        guard seen > 0 else { return "No tag was seen. \(unseenText)" }
        let tags = seen == 1 ? "1 tag" : "\(seen) tags"
        let verdict =
            agreeing == seen
            ? (seen == 1 ? "it agrees" : "all agree")
            : "\(seen - agreeing) \(seen - agreeing == 1 ? "does" : "do") not agree"
        return "\(tags) seen: \(verdict). \(unseenText)"
    }

    private var unseenText: String {
        if rows == 0 { return "No row has a tag yet." }
        let waiting =
            withoutTag == 0 ? nil : withoutTag == 1 ? "1 row has no tag yet." : "\(withoutTag) rows have no tag yet."
        guard unseen.count > 0 else { return waiting ?? "No row is missing." }
        let missing = "\(unseen.capitalizedText) \(unseen.count == 1 ? "was" : "were") not seen."
        return [missing, waiting].compactMap(\.self).joined(separator: " ")
    }

    /// The counts with their labels: signatures, locks and passwords, then problems.
    public var facts: [(name: String, value: Int)] {
        var facts = [("seen", seen), ("agree", agreeing), ("not seen", unseen.count)]
        if withoutTag > 0 { facts.append(("without a tag", withoutTag)) }
        let names = [("genuine", "genuine signature"), ("notGenuine", "signature not genuine")]
        for (key, name) in names { if let count = signatures[key] { facts.append((name, count)) } }
        if locked > 0 { facts.append(("locked", locked)) }
        if protected > 0 { facts.append(("require a password", protected)) }
        for problem in TagCheck.Problem.allCases {
            if let count = problems[problem] { facts.append((problem.words, count)) }
        }
        return facts.map { (name: $0.0, value: $0.1) }
    }
}
