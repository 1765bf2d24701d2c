// A journal on a full disk that is only read

import Foundation
import Glibc
import Provisioning
import Testing

@Suite(.enabled(if: geteuid() == 0, "Only root may mount a small disk.")) struct JournalSpaceTests {
    @Test func aJournalThatIsReadOnAFullDiskSaysSo() throws {
        let place = try JournalPlace()
        let disk = place.folder.appending(path: "disk")
        try FileManager.default.createDirectory(at: disk, withIntermediateDirectories: true)
        // A container may forbid mounting.
        guard mount("tmpfs", disk.path, "tmpfs", 0, "size=112k") == 0 else { return }
        defer { umount2(disk.path, Int32(MNT_DETACH)) }
        let file = disk.appending(path: "plan.csv.journal")
        _ = try EmbeddedJournal.create(at: file) { insert in
            for number in 1...6 { try insert(JournalPlace.row(number)) }
            return JournalPlace.plan
        }
        let descriptor = open(disk.appending(path: "ballast").path, O_WRONLY | O_CREAT, 0o600)
        while write(descriptor, [0], 1) == 1 {}
        close(descriptor)
        // SQLITE_IOERR_SHMSIZE
        let error = JournalError.full(path: file.path, code: 4874, reason: "the disk is full")
        #expect(throws: error) { try EmbeddedJournal.openForReading(file) }
    }
}
