// Every command as a user starts it, and the files that it must not leave behind

import Foundation

/// A command to be interrupted, in a folder that was prepared for all commands.
struct InterruptedCommand: Sendable, CustomStringConvertible {
    let arguments: [String]
    /// Questions and their answers, in order.
    ///
    /// The signal comes some time after the start, or after one of the questions.
    var dialogue: [(question: String, answer: String)] = []

    var description: String { "nfctool " + arguments.joined(separator: " ") }

    /// The options with which a command waits for a tag that does not come.
    private static let waiting = ["--timeout", "0", "--uid", "04112233445566", "--reader", "virtual:ntag213"]
    private static let slowTag = ["--reader", "virtual:tag.nfc?latency=real"]
    private static let ownTag = ["--reader", "virtual:tag.nfc"]
    private static let signedTag = ["--reader", "virtual:signed.nfc?latency=real"]
    private static let signedURL = "https://example.com/?e={picc}&c={mac}"
    private static let password = (
        question: "New password (8 hexadecimal digits, or 32 for a key): ", answer: "11223344\n"
    )

    static let all: [InterruptedCommand] = [
        .init(arguments: ["read"] + waiting),
        .init(arguments: ["read"] + slowTag),
        .init(arguments: ["read", "--output", "message.ndef"] + waiting),
        .init(arguments: ["read", "--output", "kept.ndef"] + ownTag, dialogue: [("[y/N] ", "y\n")]),
        .init(arguments: ["write", "--text", String(repeating: "It takes its time. ", count: 6)] + slowTag),
        .init(arguments: ["write", "--mime", "text/plain=@-"] + ownTag),
        .init(arguments: ["write", "--text", "x", "--reader", "virtual:ultralight"], dialogue: [("[y/N] ", "y\n")]),
        .init(arguments: ["scan", "--reader", "virtual:ntag213*9?stream&dwell=80ms&gap=80ms"]),
        .init(arguments: ["scan", "--exec", "sleep 600", "--reader", "virtual"]),
        .init(arguments: ["info"] + waiting),
        .init(arguments: ["erase", "--wipe"] + slowTag),
        .init(arguments: ["format"] + waiting),
        .init(arguments: ["lock"] + waiting),
        .init(
            arguments: ["lock", "--force", "--reader", "virtual:ntag216?latency=real"],
            dialogue: [("[y/N] ", "y\n")]),
        .init(
            arguments: ["protect", "--limit", "3", "--reader", "virtual:ntag213?latency=real"],
            dialogue: [password, ("Again: ", "11223344\n"), ("[y/N] ", "y\n")]),
        .init(
            arguments: ["unprotect", "--reader", "virtual:ntag215-protected"],
            dialogue: [("Password: ", "11223344\n")]),
        .init(arguments: ["copy", "--count", "3", "--timeout", "0"] + ownTag),
        .init(arguments: ["recover", "--timeout", "0"] + ownTag),
        .init(arguments: ["undo"] + slowTag),
        .init(arguments: ["undo", "--forget"], dialogue: [("[y/N] ", "y\n")]),
        .init(arguments: ["sdm", "setup", signedURL] + signedTag, dialogue: [("[y/N] ", "y\n")]),
        .init(arguments: ["sdm", "status"] + waiting),
        .init(arguments: ["sdm", "reset"] + signedTag, dialogue: [("[y/N] ", "y\n")]),
        .init(
            arguments: ["sdm", "keys", "--key-file", "sdm.key", "--reader", "virtual:keyed.nfc?latency=real"],
            dialogue: [("[y/N] ", "y\n")]),
        .init(arguments: ["dump", "new.json"] + slowTag),
        .init(arguments: ["dump", "kept.bin"] + slowTag, dialogue: [("[y/N] ", "y\n")]),
        .init(arguments: ["restore", "-"] + ownTag),
        .init(arguments: ["restore", "kept.bin"] + waiting),
        .init(arguments: ["diff", "kept.bin"] + waiting),
        .init(arguments: ["transceive", "30 04"] + waiting),
        .init(arguments: ["apdu", "00A4040007D276000085010100"] + waiting),
        .init(arguments: ["emulate", "--text", "x", "--reader", "virtual:?antenna=interrupted"]),
        .init(arguments: ["readers", "--watch"]),
        .init(arguments: ["doctor", "--reader", "virtual:?mute=0"]),
        .init(arguments: ["doctor", "--reader", "virtual", "--bundle", "bundle.md"]),
        .init(arguments: ["simulate", "--symlink", "link", "--control", "socket"]),
        .init(arguments: ["simulate", "--tag", "tag.nfc", "--symlink", "link"]),
        .init(arguments: ["ndef", "encode", "--mime", "text/plain=@-", "--output", "encoded.ndef"]),
        .init(arguments: ["ndef", "decode", "-"]),
        .init(arguments: ["ndef", "check", "-"]),
        .init(arguments: ["provision", "plan.csv", "--reader", "virtual:ntag213*40?stream&latency=real"]),
        .init(
            arguments: [
                "provision", "plan.csv", "--lock", "--report", "r.csv", "--reader", "virtual:ntag213*40?stream",
            ],
            dialogue: [("[y/N] ", "y\n")]),
        .init(arguments: ["provision", "plan.csv", "--timeout", "0", "--reader", "virtual:?mute=0"]),
        .init(arguments: ["provision", "many.csv", "--dry-run"]),
        .init(arguments: ["provision", "many.csv", "--timeout", "0", "--reader", "virtual"]),
        .init(arguments: ["provision", "export", "done.html", "--plan", "done.csv"]),
        .init(arguments: ["provision", "status", "done.csv"]),
        .init(arguments: ["provision", "release", "1", "--plan", "done.csv"], dialogue: [("[y/N] ", "y\n")]),
        .init(arguments: ["provision", "reset", "--all", "--plan", "done.csv"], dialogue: [("[y/N] ", "y\n")]),
        .init(arguments: ["provision", "verify", "seen.csv", "--reader", "virtual:seen.nfc?latency=real"]),
        .init(
            arguments: [
                "provision", "verify", "seen.csv", "--report", "v.csv", "--timeout", "0", "--reader", "virtual:?mute=0",
            ]),
        .init(arguments: ["provision", "board", "seen.csv", "--listen", "127.0.0.1:0"]),
    ]

    /// Creates the files that are in the folder when a command starts.
    static let preparation = """
        set -e
        printf 'uri\\n' > plan.csv; for i in $(seq 40); do echo "https://example.com/$i" >> plan.csv; done
        printf 'uri\\n' > many.csv; for i in $(seq 20000); do echo "https://example.com/$i" >> many.csv; done
        printf 'uri\\nhttps://example.com\\n' > done.csv
        nfctool provision done.csv --quiet --reader virtual:ntag213
        nfctool write --quiet --text before --reader 'virtual:tag.nfc?kind=ntag213'
        nfctool dump --quiet kept.bin --reader virtual:tag.nfc
        cp kept.bin kept.ndef
        nfctool erase --quiet --reader 'virtual:signed.nfc?kind=ntag424&serial=21'
        nfctool erase --quiet --reader 'virtual:keyed.nfc?kind=ntag424&serial=22'
        echo 00112233445566778899AABBCCDDEEFF > sdm.key
        printf 'uri\\nhttps://example.com/seen\\n' > seen.csv
        nfctool provision seen.csv --quiet --reader 'virtual:seen.nfc?kind=ntag213&serial=23'
        """

    /// The files that may exist afterwards: the prepared files, and results that were complete before the signal.
    private static let expected: Set<String> = [
        "plan.csv", "many.csv", "done.csv", "tag.nfc", "kept.bin", "kept.ndef", "nfctool", "message.ndef", "new.json",
        "bundle.md",
        "encoded.ndef", "r.csv", "done.html", "signed.nfc", "keyed.nfc", "sdm.key", "seen.csv", "seen.nfc", "v.csv",
    ]

    /// Returns the files in the folder that must not exist.
    ///
    /// A command that was killed could not clean up. In that case, the lock file of a plan may remain, because the
    /// kernel's lock on it has ended with the process.
    static func leftovers(in folder: String, wasKilled: Bool) -> [String] {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []
        return names.filter { name in
            let isJournal = (["", "-wal", "-shm"] + (wasKilled ? [".lock"] : [])).contains {
                name.hasSuffix(".csv.journal\($0)")
            }
            return !expected.contains(name) && !isJournal
        }
    }
}
