// A step of a remedy as people type it — POSIX.1, Shell Command Language, 2.2 Quoting

import TextBytes

/// Steps as lines of shell that can be copied.
public struct ShellLine: Sendable {
    /// How nfctool is called.
    public let program: String
    /// Whether the user is root already.
    public let isRoot: Bool

    /// Creates lines for a user.
    public init(program: String = "nfctool", isRoot: Bool) {
        self.program = program
        self.isRoot = isRoot
    }

    /// A step as a line of shell.
    ///
    /// Names in it stay single words, whatever they contain.
    public func text(_ step: SystemStep) -> String {
        let sudo = step.needsRoot && !isRoot ? "sudo " : ""
        return switch step {
        case .run(let words, _): sudo + line(words)
        case .nfctool(let words, _): sudo + line([program] + words)
        case .install(let file):
            "\(Self.quoted(program)) doctor --print \(file.rawValue) | \(sudo)tee \(Self.quoted(file.path))"
        case .write(let word, let path): "echo \(Self.quoted(word)) | \(sudo)tee \(Self.quoted(path))"
        }
    }

    private func line(_ words: [String]) -> String { words.map(Self.quoted).joined(separator: " ") }

    /// A word, quoted where the shell would not take it as that one word.
    public static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.utf8.allSatisfy { Self.plain.contains($0) }
        return isPlain ? word : "'" + word.replacingBytes(of: "'", with: #"'\''"#) + "'"
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,".utf8)
}
