// Why tags were lost

/// A table of causes with how many tags each cost; nothing when there was none.
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
            <th scope="col"><span class="away">Share</span></th><th scope="col">The last one</th></tr></thead>
            <tbody>
            \(rows.joined(separator: "\n"))
            </tbody>
            </table>
            </section>

            """
    }

    /// In words, by the names of Docs/JSON.md; a name that is not known here stands for itself.
    private static func name(of cause: String) -> String {
        switch cause {
        case "rowFailed": "Failed with its row"
        case "wrongChip": "Wrong chip"
        case "foreignContent": "Held something else"
        case "sameContent": "Already held its message"
        case "readOnly": "Read-only"
        case "cannotLock": "Cannot be locked"
        case "dynamicMessage": "The tag signs its message itself"
        case "otherKeys": "Has other keys"
        case "uselessLock": "The lock has no effect"
        case "tooLarge": "Too small"
        case "notNDEF": "Not an NDEF tag"
        case "tagLost": "Left too early"
        case "tagProtocol": "Broke its own rules"
        case "passwordNeeded", "wrongPassword": "Protected by a password"
        case "severalTags": "Several at once"
        case "readerIO": "Reader fell silent"
        case "other": "Other causes"
        default: cause.escapedForHTML
        }
    }
}
