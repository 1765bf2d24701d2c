// What shells complete after an option that takes a reader or a virtual tag — Docs/Install.md, Completion

import ArgumentParser
import Doctor
import ReaderSession
import USBReaders
import VirtualPCSC

extension CompletionKind {
    /// Readers that are connected now, labels, and virtual readers.
    static var reader: CompletionKind {
        .custom { _, _, beginning in ReaderCompletion.forShell(ReaderCompletion.current.completing(beginning)) }
    }

    /// Virtual tags, and files of the user.
    static var virtualTag: CompletionKind {
        .custom { _, _, beginning in ReaderCompletion.forShell(ReaderCompletion.tags(completing: beginning)) }
    }
}

/// The names that `--reader` takes, for a shell.
///
/// Reads sysfs and the file of labels only: a Tab does not open a reader, and starts no pcscd.
struct ReaderCompletion {
    /// Labels first, because users chose them.
    let names: [String]

    private static let virtual = "virtual"

    init(labels: ReaderLabels, readers: [USBReader]) {
        let driven = readers.filter { $0.connectionNow(isHeld: { _ in false }) != nil }
        names = labels.entries.map(\.label) + driven.map { "usb:\($0.port)" } + ["auto", Self.virtual]
    }

    /// Those of this machine and user.
    static var current: ReaderCompletion {
        ReaderCompletion(labels: .current, readers: USBReader.connected(root: .current))
    }

    /// The names that begin so; kinds of virtual tags once the word begins with `virtual:`.
    func completing(_ beginning: String) -> [String] {
        let scheme = Self.virtual + ":"
        if beginning.hasPrefix(scheme) {
            return Self.tags(completing: String(beginning.dropFirst(scheme.count))).map { scheme + $0 }
        }
        return (names + (beginning.isEmpty ? [] : [scheme])).filter { $0.hasPrefix(beginning) }
    }

    /// The lists of virtual tags that begin so: the last name of the list is completed.
    static func tags(completing beginning: String) -> [String] {
        let done = beginning.lastIndex(of: ",").map { beginning[...$0] } ?? ""
        let last = beginning.dropFirst(done.count)
        return VirtualPCSCSpec.kinds.filter { $0.hasPrefix(last) }.map { done + $0 }
    }

    /// For zsh, a colon separates a word from its description.
    static func forShell(_ words: [String]) -> [String] {
        CompletionShell.requesting == .zsh ? words.map { $0.replacing(":", with: "\\:") } : words
    }
}
