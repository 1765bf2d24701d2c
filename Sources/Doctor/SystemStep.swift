// One step of a remedy: what to type, how to do it, and how to take it back

/// A command that changes this system so that a reader works, takes that back, or shows more.
public enum SystemStep: Hashable, Sendable {
    /// A program with its arguments.
    case run([String], needsRoot: Bool)
    /// A command of nfctool's, which is for people to type.
    case nfctool([String], needsRoot: Bool = false)
    /// One of our files, put in its place.
    case install(SystemFile)
    /// A word that is written into a file of the kernel.
    case write(String, path: String)

    /// A program that only root may run.
    public static func root(_ words: String...) -> SystemStep { .run(words, needsRoot: true) }

    /// Whether only root may do it.
    public var needsRoot: Bool {
        switch self {
        case .run(_, let needsRoot), .nfctool(_, let needsRoot): needsRoot
        case .install, .write: true
        }
    }

    /// What takes it back; nil where there is nothing to take back.
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

    /// Whether it changes the system: commands that only show something are for people.
    var isLasting: Bool {
        if case .nfctool = self { false } else { true }
    }

    /// How to do it: a program with its arguments, and what goes to its standard input.
    ///
    /// The caller runs it as root where ``needsRoot`` holds. Nil for a command of nfctool's.
    public var invocation: (words: [String], input: String?)? {
        switch self {
        case .run(let words, _): (words, nil)
        case .nfctool: nil
        case .install(let file): (["tee", file.path], file.text)
        case .write(let word, let path): (["tee", path], word + "\n")
        }
    }
}
