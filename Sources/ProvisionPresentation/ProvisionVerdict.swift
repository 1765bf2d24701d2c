// The result for a tag: good or bad, the reason, and what to do — Docs/CommandLine.md, provision

import MemoryPresentation
import Provisioning
import Terminal

/// The final result for a tag.
struct ProvisionVerdict: Hashable, Sendable {
    /// The part of the result that is visible from a distance.
    enum Kind: Hashable, Sendable {
        /// `flawed` means that the tag holds its row, but that something else failed.
        case good, known, flawed, again, bad

        var ink: Ink {
            switch self {
            case .good: .good
            case .known: .uid
            case .flawed, .again: .warning
            case .bad: .bad
            }
        }

        var mark: String {
            switch self {
            case .good: "✔"
            case .known: "="
            case .flawed: "!"
            case .again: "↻"
            case .bad: "✘"
            }
        }
    }

    let kind: Kind
    let tag: ProvisionedTag
    let row: PlanRow?
    let words: String
    /// The text to show instead of the row, for a tag that has no row.
    var unnumbered = "refused"
    /// Whether the tag is refused only because others are on the reader.
    private(set) var isOneOfSeveral = false
    /// The reason in a sentence, or nil if there is nothing to add.
    let reason: String?
    /// The advice for the operator, or nil if there is nothing to do.
    let advice: String?

    private init(
        _ kind: Kind, _ tag: ProvisionedTag, _ row: PlanRow?, _ words: String, _ reason: String? = nil,
        _ advice: String? = nil
    ) {
        self.kind = kind
        self.tag = tag
        self.row = row
        self.words = words
        self.reason = reason
        self.advice = advice
    }

    /// Creates the verdict for an event, or returns nil if the event has no new result for a tag.
    ///
    /// The commands in the advice end with `journal`, the options that name the journal.
    init?(_ event: ProvisionEvent, naming journal: String = "") {
        switch event {
        case .finished(let tag, let row, let state, _, let seal):
            self.init(.good, tag, row, Self.words(for: state, seal))
        case .known(let tag, let row, let state, let seal):
            self.init(.known, tag, row, "already \(Self.words(for: state, seal))")
        case .erased(let tag, let row):
            self.init(
                .again, tag, row, "erased",
                "The tag was verified with row \(row.number) and has been erased since. It gets the row again.")
        case .refused(let tag, let cause, let reason, let isQuarantined):
            let (words, general) = Self.words(for: cause)
            let advice =
                cause == .known(.otherStation) ? "To free the row:  nfctool provision release ROW\(journal)" : general
            self.init(
                .bad, tag, nil, words, reason, isQuarantined ? "Set it aside: it will not get a row." : advice)
            // If the cause is not the tag itself, the summary does not count the tag as refused.
            if !cause.isOfTag { unnumbered = "skipped" }
            isOneOfSeveral = cause == .known(.severalTags)
        case .cut(let tag, let row, let reason):
            self.init(.again, tag, row, "interrupted", reason, "Place it again.")
        case .failed(let tag, let row, let cause, let reason):
            self.init(
                .bad, tag, row, "failed: \(Self.words(for: cause).words)", reason,
                // If the cause is final, another attempt would have the same result.
                (cause.isFinal
                    ? "Free its row for another tag:"
                    : cause == .foreignContent
                        ? "Erase it (nfctool erase) and place it again, or free its row:"
                        : "Place it again, or free its row:")
                    + "  nfctool provision release \(row.number)\(journal)")
        case .commandFailed(let tag, let row, let reason):
            self.init(.flawed, tag, row, "command failed", reason)
        case .checked(let check):
            self.init(check.agrees ? .good : .bad, check.tag, check.row?.row, check.words, check.reason)
            unnumbered = "unknown"
        case .readerOpened, .readerLost, .databaseAway, .databaseBack, .started, .initialising, .weakField,
            .manyRefused, .removed, .ended,
            .checkedAll:
            return nil
        }
    }

    /// Returns the words for a tag that holds its row, in the terms of ``ProvisionCounts``.
    private static func words(for state: RowState, _ seal: RowSeal) -> String {
        let closed = state == .sealed ? (seal.protect ? ["protected"] : []) + (seal.lock ? ["locked"] : []) : []
        return (["verified"] + closed).joined(separator: ", ")
    }

    private static let anotherTag = "Use another tag."

    private static func words(for cause: StoredCause) -> (words: String, advice: String?) {
        switch cause {
        case .known(let cause): words(for: cause)
        case .foreign: ("refused", anotherTag)
        }
    }

    private static func words(for cause: RefusalCause) -> (words: String, advice: String?) {
        switch cause {
        case .foreignContent: ("not empty", "To use it, erase it:  nfctool erase")
        case .contentChanged: ("changed since", "To have its row written again, erase it:  nfctool erase")
        case .passwordLost:
            (
                "lost its password",
                "Protect it again (nfctool protect) with the row's password. nfctool provision verify then checks it."
            )
        case .sameUID: ("UID used twice", anotherTag)
        case .sameContent: ("not empty", "--overwrite same accepts it.")
        case .rowTaken: ("row already taken", "To use it for another row, erase it:  nfctool erase")
        case .cannotLock: ("cannot be locked", anotherTag)
        case .uselessLock: ("its lock has no effect", anotherTag)
        case .dynamicMessage:
            ("signs its message", "To make it an ordinary tag again:  nfctool sdm reset --key-file FILE")
        case .otherKeys: ("has other keys", "With its key file:  nfctool sdm reset --key-file FILE")
        case .noRow: ("no row left for it", "Place the tags that are not finished.")
        case .wrongChip: ("wrong chip", "Use a tag with the right chip.")
        case .wrongReader: ("needs another reader", "Place it on another reader.")
        case .tooLarge: ("too small", "Use a larger tag.")
        case .readOnly: ("read-only", "\(anotherTag) This tool cannot make it writable.")
        case .notNDEF: ("not for NDEF", anotherTag)
        // Passwords are supported only for Type 2 Tags.
        case .passwordNeeded: ("protected by a password", "To open a Type 2 Tag, add --password-file FILE.")
        case .wrongPassword: ("protected by a password", "Check its password before you try again.")
        case .passwordUnanswered: ("no answer to the password", "Hold the tag still, and start again.")
        case .notAgreed: ("blank", "Start again with --yes to initialise blank tags.")
        case .brokenMessage: ("broken message", "Start again with --overwrite always to replace its content.")
        case .severalTags: ("several tags", nil)
        case .otherStation: ("row of another station", nil)
        case .rowMoved: ("row released", "Erase this tag (nfctool erase), or destroy it if it is locked.")
        case .tagGone: ("removed too early", "Place it again.")
        case .brokenRules: ("faulty", anotherTag)
        }
    }
}
