// Shell completion for options that take a reader or a virtual tag — Docs/Install.md, Completion

import ArgumentParser
import Doctor
import ReaderSession
import USBReaders
import VirtualPCSC

extension CompletionKind {
    /// The readers that are connected now, labels, and virtual readers.
    static var reader: CompletionKind {
        .custom { _, _, beginning in ReaderCompletion.forShell(ReaderCompletion.current.completing(beginning)) }
    }

    /// Virtual tags, and the user's files.
    static var virtualTag: CompletionKind {
        .custom { _, _, beginning in ReaderCompletion.forShell(ReaderCompletion.tags(completing: beginning)) }
    }
}

/// The completions of `--reader`, for a shell.
///
/// Reads only sysfs and the label file: pressing Tab neither opens a reader nor starts pcscd.
struct ReaderCompletion {
    /// The names to offer; labels come first, because users chose them.
    let names: [String]

    private static let virtual = "virtual"

    init(labels: ReaderLabels, readers: [USBReader]) {
        let driven = readers.filter { $0.connectionNow(isHeld: { _ in false }) != nil }
        names = labels.entries.map(\.label) + driven.map { "usb:\($0.port)" } + ["auto", Self.virtual]
    }

    /// The names for this machine and user.
    static var current: ReaderCompletion {
        ReaderCompletion(labels: .current, readers: USBReader.connected(root: .current))
    }

    /// The names that begin with the given text; kinds of virtual tags if the text begins with `virtual:`.
    func completing(_ beginning: String) -> [String] {
        let scheme = Self.virtual + ":"
        if beginning.hasPrefix(scheme) {
            return Self.tags(completing: String(beginning.dropFirst(scheme.count))).map { scheme + $0 }
        }
        return (names + (beginning.isEmpty ? [] : [scheme])).filter { $0.hasPrefix(beginning) }
    }

    /// Completes the last name in a list of virtual tags; each result repeats the names before it.
    static func tags(completing beginning: String) -> [String] {
        let done = beginning.lastIndex(of: ",").map { beginning[...$0] } ?? ""
        let last = beginning.dropFirst(done.count)
        return VirtualPCSCSpec.kinds.filter { $0.hasPrefix(last) }.map { done + $0 }
    }

    /// Escapes colons for zsh, where a colon separates a word from its description.
    static func forShell(_ words: [String]) -> [String] {
        CompletionShell.requesting == .zsh ? words.map { $0.replacing(":", with: "\\:") } : words
    }
}
