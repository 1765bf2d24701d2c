// The causes of lost tags

/// A table of the causes for which tags were refused or failed, with the number of tags for each cause.
///
/// It is left out if there are none.
struct HTMLFailures {
    let summary: ReportSummary

    var html: String {
        let causes = summary.causes
        guard let most = causes.first?.failure.tags else { return "" }
        let rows = causes.map { cause, failure in
            """
            <tr><th scope="row">\(Self.name(of: cause))</th><td class="n">\(Figure.grouped(failure.tags))</td>\
            <td class="share"><i style="width:\(Figure.decimal(Double(failure.tags) / Double(most) * 100, places: 1))%"></i></td>\
            <td class="why">\(failure.reason.escapedForHTML)</td></tr>
            """
        }
        return """
            <section>
            <h2>Refused and failed tags, by cause</h2>
            <table class="causes">
            <thead><tr><th scope="col">Cause</th><th scope="col" class="n">Tags</th>\
            <th scope="col"><span class="away">Share</span></th><th scope="col">Latest reason</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            </section>

            """
    }

    private static func name(of cause: ReportSummary.Cause) -> String {
        switch cause {
        case .rowFailed: "Its row failed"
        case .refused(.known(let cause)): name(of: cause)
        case .refused(.foreign(word: "readerIO")): "Reader stopped answering"
        case .refused(.foreign(let word)): word.escapedForHTML
        case .others: "Other causes"
        }
    }

    private static func name(of cause: RefusalCause) -> String {
        switch cause {
        case .wrongChip: "Wrong chip"
        case .foreignContent: "Held something else"
        case .sameContent: "Already held its message"
        case .rowTaken: "Held the message of another tag"
        case .readOnly: "Read-only"
        case .cannotLock: "Cannot be locked"
        case .dynamicMessage: "The tag signs its message itself"
        case .otherKeys: "Has other keys"
        case .contentChanged: "Changed after it was verified"
        case .passwordLost: "Lost its password"
        case .sameUID: "Another chip has the same UID"
        case .rowMoved: "Its row was released"
        case .otherStation: "Has a row of another station"
        case .notAgreed: "Blank, and initialising was not confirmed"
        case .wrongReader: "Needs another reader"
        case .passwordUnanswered: "No answer to the password"
        case .brokenMessage: "Broken message"
        case .uselessLock: "The lock has no effect"
        case .tooLarge: "Too small"
        case .notNDEF: "Not an NDEF tag"
        case .tagGone: "Removed too early"
        case .brokenRules: "Tag violates its specification"
        case .passwordNeeded, .wrongPassword: "Protected by a password"
        case .severalTags: "Several tags at once"
        case .noRow: "No row left for it"
        }
    }
}
