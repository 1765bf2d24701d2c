// The results of a plan check, for people

import PhoneLint
package import Provisioning
import ReaderInterface

extension PlanCheck {
    /// The summary at the end of a dry run, as lines separated by newlines.
    ///
    /// It lists at most `shown` groups of duplicate rows. `more` is the number of rows that the output above left out,
    /// and `seconds` the estimated time for writing the whole plan.
    package func summary(_ duplicates: DuplicateRows, shown: Int, more: Int, seconds: Double) -> String {
        var lines = more > 0 ? ["… and \(more) more"] : []
        lines += duplicates.lines(limit: shown)
        let lengths = messageLengths ?? 0...0
        let span = lengths.count == 1 ? "\(lengths.lowerBound)" : "\(lengths.lowerBound) to \(lengths.upperBound)"
        lines.append("\(Self.rows(goodRowCount)), with messages of \(span) bytes.")
        if isSigned {
            lines.append(
                "Zeros stand for the values that the tags fill in and sign. Each tag gets the keys of the key file.")
        } else if isOfUID {
            lines.append("04000000000000 stands for the UID, which differs from tag to tag.")
        }
        if hasTokens { lines.append("Zeros stand for random digits, which are generated when the journal is created.") }
        if lockedRowCount > 0 { lines.append("\(Self.rows(lockedRowCount)): the tag is locked permanently.") }
        if protectedRowCount > 0 {
            lines.append("\(Self.rows(protectedRowCount)): the tag is protected by a password.")
        }
        let fitting = fits.filter(\.fits).map(\.tag.chip)
        lines.append("The longest message fits \(fitting.isEmpty ? "no common tag" : fitting.joined(separator: ", ")).")
        lines.append(
            "Writing takes about \(Self.time(seconds)), plus about the same time for placing the tags one by one.")
        lines.append("Nothing was written, and no journal was created.")
        return lines.joined(separator: "\n")
    }

    /// In English on every system, like all other texts.
    private static func time(_ seconds: Double) -> String {
        let minutes = Int((seconds / 60).rounded())
        guard minutes >= 60 else { return Duration.seconds(seconds.rounded(.up)).inWords }
        return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }

    private static func rows(_ count: Int) -> String { count == 1 ? "1 row" : "\(count) rows" }
}
