// doctor --bundle: the diagnosis as `doctor` prints it, and libnfc's log, in one Markdown file

import Doctor
import DoctorPresentation
import Foundation
import Subprocess
import SystemPackage
import Terminal

extension BugReport {
    static func current(_ diagnosis: Diagnosis) async -> BugReport {
        let report = DiagnosisPresentation(
            diagnosis, style: .plain, marks: .ascii, shell: ShellLine(program: "nfctool", isRoot: false))
        var sections: [Section] = [("Checks", report.lines)]
        if !report.remedies.isEmpty {
            sections.append(("Advice", report.remedies.joined(separator: "\n\n")))
        }
        return await current(diagnosis, by: ("nfctool", ProgramVersion.text), sections: sections, log: log)
    }

    /// Opens a reader again, and returns libnfc's log.
    ///
    /// This happens in a separate process, because libnfc logs only to stderr.
    private static func log(of subject: Subject) async -> String {
        let limit = 1 << 20
        do {
            let connection = subject.connection
            return try await Interruption.cancelling {
                try await Subprocess.run(
                    .path("/proc/self/exe"),
                    arguments: ["doctor", "--trace=all", "--json", "--reader", connection],
                    environment: .inherit.updating(["LIBNFC_LOG_LEVEL": nil]), platformOptions: .endedGracefully,
                    output: .discarded, error: .string(limit: limit)
                ).standardError
            }
        } catch {
            return "(no log: \(error))"
        }
    }
}
