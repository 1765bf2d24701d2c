// One step of a remedy: the command, how to run it, and how to undo it

/// A command that changes this system so that a reader works, undoes such a change, or shows more information.
public enum SystemStep: Hashable, Sendable {
    /// A program with its arguments.
    case run([String], needsRoot: Bool)
    /// An nfctool command for people to type.
    case nfctool([String], needsRoot: Bool = false)
    /// A file of nfctool to install.
    case install(SystemFile)
    /// A word to write to a kernel file.
    case write(String, path: String)

    /// A program that only root may run.
    public static func root(_ words: String...) -> SystemStep { .run(words, needsRoot: true) }

    /// Whether only root may run the step.
    public var needsRoot: Bool {
        switch self {
        case .run(_, let needsRoot), .nfctool(_, let needsRoot): needsRoot
        case .install, .write: true
        }
    }

    /// The step that undoes this one, or nil if there is nothing to undo.
    public var undo: SystemStep? {
        switch self {
        case .install(let file): .root("rm", file.path)
        case .write(let word, let path) where path.hasSuffix("/unbind"):
            .write(word, path: path.dropLast("unbind".count) + "bind")
        case .write, .nfctool: nil
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

    /// Whether the step changes the system, unlike a command that only shows information.
    var isLasting: Bool {
        if case .nfctool = self { false } else { true }
    }

    /// The program with its arguments, and its standard input.
    ///
    /// The caller runs it as root if ``needsRoot`` is true. Nil for a command of nfctool.
    public var invocation: (words: [String], input: String?)? {
        switch self {
        case .run(let words, _): (words, nil)
        case .nfctool: nil
        case .install(let file): (["tee", file.path], file.text)
        case .write(let word, let path): (["tee", path], word + "\n")
        }
    }
}
