// A process for the journal tests: works with a journal until it is done, its input ends, or it is killed
//
//   JournalChild create JOURNAL ROWS    makes a journal
//   JournalChild bind JOURNAL           takes each pending row through its states, and prints each confirmed step
//   JournalChild limited JOURNAL BYTES  the same, while no file may grow beyond BYTES (RLIMIT_FSIZE)
//   JournalChild hold JOURNAL           holds the journal until its input ends

import Foundation
import Glibc
import Provisioning

/// Prints a line with one write(2), so that it is in the pipe even if the process is killed right after.
private func say(_ line: String) {
    let bytes = Array((line + "\n").utf8)
    _ = write(STDOUT_FILENO, bytes, bytes.count)
}

private func bindAll(_ journal: any ProvisionJournal) throws {
    while let row = try journal.claimRow(except: []) {
        let number = row.number
        let uid = [0x04] + withUnsafeBytes(of: UInt32(number).bigEndian, Array.init) + [UInt8](0x5A...0x5B)
        try journal.bind(number, to: BoundTag(uid: uid, chip: "NTAG213", reader: "child", bound: Date()))
        say("bound \(number)")
        // A third of the rows go one step further, and another third two steps.
        guard number % 3 > 0 else { continue }
        try journal.advance(number, of: uid, to: .written)
        say("written \(number)")
        guard number % 3 > 1 else { continue }
        let proof = RowProof(messageLength: 60, sha256: String(number), signature: nil, seconds: 1)
        try journal.advance(number, of: uid, to: .proven, proof: proof)
        say("proven \(number)")
    }
    say("done")
}

private func limitFiles(to bytes: UInt) {
    signal(SIGXFSZ, SIG_IGN)
    var limit = rlimit(rlim_cur: bytes, rlim_max: bytes)
    setrlimit(__rlimit_resource_t(1), &limit)  // RLIMIT_FSIZE, which Glibc has as a C enumeration
}

let arguments = CommandLine.arguments
guard arguments.count >= 3 else { exit(64) }
let file = URL(filePath: arguments[2])
let number = arguments.count > 3 ? UInt(arguments[3]) ?? 0 : 0

do {
    switch arguments[1] {
    case "create":
        say("begun")
        let journal = try EmbeddedJournal.create(at: file) { insert in
            for row in 1...Int(number) {
                try insert(
                    PlanRow(number: row, line: row + 1, fields: [PlanField(name: "id", value: String(row))]))
            }
            say("filled")
            return PlanIdentity(file: "plan.csv", sha256: "AB", recipe: [])
        }
        say("made \(try journal.counts()[.pending] ?? 0)")
    case "bind": try bindAll(EmbeddedJournal.open(file))
    case "limited":
        let journal = try EmbeddedJournal.open(file)
        limitFiles(to: number)
        try bindAll(journal)
    case "hold":
        let journal = try EmbeddedJournal.open(file)
        say("holding \(journal.plan.file)")
        while readLine() != nil {}
        withExtendedLifetime(journal) {}
    default: exit(64)
    }
} catch let error as JournalError {
    switch error {
    case .full(_, let code, _): say("full \(code)")
    case .unusable(_, let code, _): say("unusable \(code)")
    case .held(_, let process, let command): say("held \(process ?? 0) \(command)")
    default: say("error \(error)")
    }
    exit(1)
} catch {
    say("other \(error)")
    exit(2)
}
