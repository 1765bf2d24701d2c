// One step of a remedy: what to type, how to do it, and how to take it back

import Foundation

/// A command that mends something on this system, or undoes that.
enum SystemStep: Hashable, Sendable {
    /// A program with its arguments.
    case run([String], needsRoot: Bool)
    /// One of our files, put in its place.
    case install(SystemFile)
    /// A word written into a file of the kernel's.
    case write(String, path: String)

    /// A program that only root may run.
    static func root(_ words: String...) -> SystemStep { .run(words, needsRoot: true) }

    var needsRoot: Bool {
        switch self {
        case .run(_, let needsRoot): needsRoot
        case .install, .write: true
        }
    }

    /// What takes it back; nil where there is nothing to take back.
    var undo: SystemStep? {
        switch self {
        case .install(let file): .root("rm", file.path)
        case .write(let word, let path) where path.hasSuffix("/unbind"):
            .write(word, path: path.dropLast("unbind".count) + "bind")
        case .write: nil
        case .run(let words, _):
            switch words.prefix(2) {
            case ["systemctl", "stop"]: .root("systemctl", "start", words.dropFirst(2).first ?? "")
            case ["modprobe", "-r"]: words.dropFirst(2).first.map { .root("modprobe", $0) }
            case ["groupadd", "--system"]: words.last.map { .root("groupdel", $0) }
            case ["usermod", "-aG"]: words.count == 4 ? .root("gpasswd", "-d", words[3], words[2]) : nil
            default: nil
            }
        }
    }
}

/// Steps as lines of shell that can be copied.
struct ShellLine: Sendable {
    /// How this program was called.
    let program: String
    /// Whether who reads it is root already.
    let isRoot: Bool

    /// The lines for this process's user.
    static var current: ShellLine {
        let called = CommandLine.arguments.first ?? "nfctool"
        return ShellLine(program: called.contains("/") ? called : "nfctool", isRoot: geteuid() == 0)
    }

    func text(_ step: SystemStep) -> String {
        let sudo = step.needsRoot && !isRoot ? "sudo " : ""
        return switch step {
        case .run(let words, _): sudo + words.map { Self.quoted($0 == "nfctool" ? program : $0) }.joined(separator: " ")
        case .install(let file):
            "\(Self.quoted(program)) doctor --print \(file.rawValue) | \(sudo)tee \(Self.quoted(file.path))"
        case .write(let word, let path): "echo \(Self.quoted(word)) | \(sudo)tee \(Self.quoted(path))"
        }
    }

    /// A word as the shell takes it for that word.
    static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.utf8.allSatisfy { Self.plain.contains($0) }
        return isPlain ? word : "'" + word.replacing("'", with: #"'\''"#) + "'"
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,".utf8)
}
