// The steps of a remedy in the form in which users type them — POSIX.1, Shell Command Language, 2.2 Quoting

import TextBytes

/// Formats steps as shell lines that can be copied.
public struct ShellLine: Sendable {
    /// The command that starts nfctool.
    public let program: String
    /// Whether the user is already root.
    public let isRoot: Bool

    /// Creates a formatter for a user.
    public init(program: String = "nfctool", isRoot: Bool) {
        self.program = program
        self.isRoot = isRoot
    }

    /// Returns the step as a shell line.
    ///
    /// The shell reads each word of the step as a single word, whatever characters the word contains.
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

    /// Returns a word, quoted if the shell would not read it as a single word.
    public static func quoted(_ word: String) -> String {
        let isPlain = !word.isEmpty && word.utf8.allSatisfy { Self.plain.contains($0) }
        return isPlain ? word : "'" + word.replacingBytes(of: "'", with: #"'\''"#) + "'"
    }

    private static let plain = Set("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-./:=@%+,".utf8)
}
