// The facts that a user needs before a restore: what is replaced, what becomes permanent, what may lock the tag

import Hexadecimal
import MemoryPresentation
import ReaderSession
import SafeTag
import TagImage
import TagTypes
import Terminal

struct RestoreFacts {
    let text: String

    init(_ draft: RestoreDraft) {
        if draft.isReset {
            let blocks = draft.plan.map { BlockList($0.writes.map(\.number).sorted()).description } ?? ""
            text = """
                All data on it will be replaced by zeros, and all keys by FFFFFFFFFFFF, which is publicly known. \
                These change:
                \(blocks)
                """
            return
        }
        let ofPlan = draft.plan.map { plan in
            [
                Self.mixture(plan), Self.permanent(plan, draft), Self.mark(plan, draft),
                Self.configuration(plan),
            ]
        }
        text = ([Self.replaced(draft), Self.filling(draft), Self.hidden(draft)] + (ofPlan ?? [])).compactMap(\.self)
            .joined(separator: "\n")
    }

    // MARK: Replaced content

    private static func replaced(_ draft: RestoreDraft) -> String? {
        switch draft.replaced {
        case .nothing: return nil
        case .blocks(let blocks):
            return "\(origin(of: draft)) What this tag holds in \(BlockList(blocks)) will be replaced."
        case .message(let reading):
            let holds = TagPresentation(reading, style: .plain).text.split(separator: "\n").map { "  " + $0 }
            return """
                \(origin(of: draft)) What this tag holds will be replaced:
                \(holds.joined(separator: "\n"))
                """
        }
    }

    private static func origin(of draft: RestoreDraft) -> String {
        draft.dump.identifier.isEmpty
            ? "The dump does not say which tag it is from."
            : "The dump is from tag \(draft.dump.identifier.hex), not from this tag, \(draft.tag.uid)."
    }

    private static func filling(_ draft: RestoreDraft) -> String? {
        guard draft.dump.isFilledIn else { return nil }
        return
            "The dumped tag filled in its message at each tap. This tag would hold the values of one tap as fixed characters."
    }

    /// Returns the warning that phones will see no message, with the options that prevent this.
    ///
    /// Nil if phones will see a message.
    private static func hidden(_ draft: RestoreDraft) -> String? {
        guard !draft.neededParts.isEmpty else { return nil }
        let options = draft.neededParts.options.joined(separator: " ")
        return
            "Phones will see no message on this tag: without \(options), the restore leaves out what makes it "
            + "an NDEF tag."
    }

    private static func mixture(_ plan: RestorePlan) -> String? {
        guard !plan.mixed.isEmpty else { return nil }
        return
            "The dump is partial: the message reaches into \(BlockList(plan.mixed)), which would not change. "
            + "The message would then mix data of the dump with data of the tag."
    }

    // MARK: Permanent changes

    private static func permanent(_ plan: RestorePlan, _ draft: RestoreDraft) -> String? {
        guard !plan.oneTimeChanges.isEmpty else { return nil }
        return """
            \(draft.isKnown ? "These bits will be set permanently" : "These bits will be set"):
            \(plan.oneTimeChanges.map(\.text).joined(separator: "\n"))
            \(draft.isKnown ? "This cannot be undone." : draft.tag.target.unknownOutlook)\(lockedZeros(plan))
            """
    }

    private static func mark(_ plan: RestorePlan, _ draft: RestoreDraft) -> String? {
        guard let mark = plan.mark else { return nil }
        guard !mark.isRemoved else {
            return "This will be changed:\n\(mark.text)\nAfter that, any reader can replace the message."
        }
        let outlook =
            mark.isOnlyLock
            ? "\n\(draft.tag.target.markOutlook)"
            // Other permanent changes may also lock the block that contains the mark. In that case, nothing is said
            // about the mark.
            : plan.oneTimeChanges.isEmpty
                ? "\nTools that ignore this mark can still write to the tag and remove the mark." : ""
        return "This will be changed:\n\(mark.text)\(outlook)"
    }

    /// Returns the warning about values that the dumped tag showed and that would be zeros permanently on this tag.
    ///
    /// Empty if there are none.
    private static func lockedZeros(_ plan: RestorePlan) -> String {
        guard let lacking = plan.mirror.lacking, plan.oneTimeChanges.contains(where: \.isLock) else { return "" }
        return "\nThe dumped tag showed \(lacking.words) in its message. This tag would hold zeros there permanently. "
            + "To make it show its own values, add --configuration."
    }

    private static func configuration(_ plan: RestorePlan) -> String? {
        guard !plan.configuration.isEmpty else { return nil }
        let guardedFrom = plan.protection.map { protection in
            let secret = protection.secret == .password ? "password" : "key"
            let access = protection.rules.isReadingProtected ? ", even for reading" : ""
            let limit = protection.rules.limit
            let end =
                limit == 0
                ? ""
                : limit == 1
                    ? " After one wrong password, the tag closes permanently."
                    : " After \(limit) wrong passwords in a row, the tag closes permanently."
            return
                " From block \(protection.rules.first ?? 0) onwards, the tag will require its own \(secret)\(access). "
                + "No restore writes this \(secret).\(factory(plan, secret))\(end)"
        }
        let losses = plan.losses.map { " " + $0 }.joined()
        return
            "The restore will change configuration, keys or reserved bytes in \(BlockList(plan.configuration)), "
            + "which may lock the tag.\(guardedFrom ?? "")\(losses)\(rekeyed(plan))"
    }
}

extension RestoreFacts {
    /// Returns the warning that the tag may still have the public factory password or key.
    ///
    /// Empty if this is impossible.
    fileprivate static func factory(_ plan: RestorePlan, _ secret: String) -> String {
        guard plan.mayHaveFactorySecret else { return "" }
        let own = plan.dumpHoldsSecret ? ", with the \(secret) that the dump holds or another one" : ""
        return " If none was set on this tag, it is the public factory \(secret): run `nfctool protect` first\(own)."
    }

    /// Returns the sentences about sectors whose keys change and sectors that keep their keys.
    ///
    /// Empty if there are no such sectors.
    fileprivate static func rekeyed(_ plan: RestorePlan) -> String {
        var text = ""
        if !plan.rekeyed.isEmpty {
            text =
                " The keys of \(sectors(plan.rekeyed)) will be those of the dump. "
                + "Keep the dump: without its keys, nfctool may be unable to open them again."
        }
        if !plan.keepingKeys.isEmpty {
            text +=
                " The dump lacks keys of \(sectors(plan.keepingKeys)): those stay as they are on the tag, "
                + "and may be publicly known."
        }
        return text
    }

    private static func sectors(_ numbers: [Int]) -> String {
        "sector\(numbers.count == 1 ? "" : "s") \(numbers.sorted().map { "\($0)" }.joined(separator: ", "))"
    }
}
