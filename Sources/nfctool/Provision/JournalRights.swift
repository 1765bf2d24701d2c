// The advice for a journal that this user may not read or change

import Doctor
import Foundation

/// The rights that a command needs for a journal in a file.
enum JournalRights {
    /// Returns what to do if a journal or a file next to it cannot be opened.
    ///
    /// If the journal exists, another journal is not suggested: tags may already have rows of the plan.
    static func advice(forFile path: String) -> String {
        let lock = ".lock"
        let journal = path.hasSuffix(lock) ? String(path.dropLast(lock.count)) : path
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent().path
        let look = "See who may write there:  ls -ld \(ShellLine.quoted(folder))"
        guard let attributes = try? FileManager.default.attributesOfItem(atPath: journal) else {
            return """
                nfctool creates files next to the journal. \(look)
                A new plan can have its journal in another folder:  --journal FILE
                """
        }
        let owner = attributes[.ownerAccountName] as? String
        if access(journal, R_OK | W_OK) != 0, let owner {
            return """
                The journal belongs to \(owner). Run nfctool as this user.
                Do not start the plan again with another journal: its tags already have rows.
                """
        }
        let logs = ["-wal", "-shm"].map { journal + $0 }
        if let log = logs.first(where: { access($0, F_OK) == 0 && access($0, R_OK | W_OK) != 0 }),
            let reader = try? FileManager.default.attributesOfItem(atPath: log)[.ownerAccountName] as? String
        {
            return
                "\(log) belongs to \(reader). If no program of this user has the journal open, run nfctool provision status as root, which removes the file."
        }
        return "nfctool creates files next to the journal. \(look)"
    }
}
