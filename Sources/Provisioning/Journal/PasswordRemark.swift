// What a journal records about a tag whose password is no longer that of its row — Docs/Provisioning.md

/// Remarks about the password of a tag that was verified and protected.
enum PasswordRemark {
    private static let lost = "but no longer requires its password."
    private static let changed = "but no longer accepts its password."

    /// The remark about a tag that requires no password, or requires it for fewer blocks than before.
    static func lost(row: Int) -> String { "The tag was verified with row \(row), \(lost)" }

    /// The remark about a tag that refused the password of its row.
    static func changed(row: Int) -> String { "The tag was verified with row \(row), \(changed)" }

    /// The remark about a tag that requires a password again, or what the journal records if the tag refused the
    /// password of its row.
    static func unchecked(_ row: JournalRow) -> String? {
        row.reason?.hasSuffix(lost) == true
            ? "The tag was verified with row \(row.row.number), lost its password, and requires one again, which a run does not try."
            : row.reason
    }

    /// Returns why a tag that was verified earlier no longer agrees with its row, according to a journal's remark.
    static func cause(in remark: String?) -> RefusalCause { isOne(remark) ? .passwordLost : .contentChanged }

    /// Whether a journal's remark is about a password.
    static func isOne(_ remark: String?) -> Bool {
        remark?.hasSuffix(lost) == true || remark?.hasSuffix(changed) == true
    }
}
