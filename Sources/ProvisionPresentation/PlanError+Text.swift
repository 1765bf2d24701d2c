// The errors in a plan as text, with the nfctool options that help

package import Provisioning
import RecordPresentation

extension PlanError {
    /// The place of the error, what is wrong, and what to do, in full sentences.
    package var text: String { [description, reason.advice].compactMap(\.self).joined(separator: " ") }
}

extension PlanError.Reason {
    /// A sentence with the options that help, or nil if the plan itself must be changed.
    fileprivate var advice: String? {
        switch self {
        case .notUTF8: "Save the plan as UTF-8, or name its encoding: --encoding windows-1252."
        case .otherEncoding: "Omit --encoding."
        case .noByteOrderMark: "Specify the byte order: --encoding utf-16le (usual on Windows) or --encoding utf-16be."
        case .nul: "If it is UTF-16, add --encoding utf-16."
        case .nothingToWrite(let column?):
            "Rename it, or write its cells as they are: --\(column.meant ?? "") '{\(column.name):raw}'"
        case .nothingToWrite(nil):
            "Give record options, such as --uri 'https://example.com/{id}', or --uri '{link:raw}' for a column with "
                + "full URLs. Or name columns like the options: uri, text, …"
        case .noPassword: "Give --password-file, or fill in the row's cell in a column named password."
        case .record(let error): error.advice
        default: nil
        }
    }
}
