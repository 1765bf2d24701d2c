// Shell completion for options that take a reader or a virtual tag — Docs/Install.md, Completion

import ArgumentParser
import Doctor
import ReaderSession
import USBReaders
import VirtualPCSC

extension CompletionKind {
    static var reader: CompletionKind {
        .custom { _, _, beginning in ReaderCompletion.forShell(ReaderCompletion.current.completing(beginning)) }
    }

    /// The completion of a virtual tag: the kinds of virtual tags, and the user's files.
    static var virtualTag: CompletionKind {
        .custom { _, _, beginning in ReaderCompletion.forShell(ReaderCompletion.tags(completing: beginning)) }
    }
}

/// The completions of `--reader` for a shell.
///
/// Only sysfs and the label file are read, so that pressing Tab neither opens a reader nor starts pcscd.
struct ReaderCompletion {
    /// The names to offer.
    ///
    /// Labels come first, because users chose them.
    let names: [String]

    private static let virtual = "virtual"

    init(labels: ReaderLabels, readers: [USBReader]) {
        let driven = readers.filter { $0.connectionNow(isHeld: { _ in false }) != nil }
        names = labels.entries.map(\.label) + driven.map { "usb:\($0.port)" } + ["auto", Self.virtual]
    }

    static var current: ReaderCompletion {
        ReaderCompletion(labels: .current, readers: USBReader.connected(root: .current))
    }

    /// Returns the names that begin with a text.
    ///
    /// If the text begins with `virtual:`, returns the kinds of virtual tags instead.
    func completing(_ beginning: String) -> [String] {
        let scheme = Self.virtual + ":"
        if beginning.hasPrefix(scheme) {
            return Self.tags(completing: String(beginning.dropFirst(scheme.count))).map { scheme + $0 }
        }
        return (names + (beginning.isEmpty ? [] : [scheme])).filter { $0.hasPrefix(beginning) }
    }

    /// Returns the completions of the last name in a list of virtual tags: kinds, and tag files in the folder that the
    /// name begins with.
    ///
    /// Each completion repeats the names before the last one.
    static func tags(completing beginning: String) -> [String] {
        let done = beginning.lastIndex(of: ",").map { beginning[...$0] } ?? ""
        let last = beginning.dropFirst(done.count)
        let names = VirtualPCSCSpec.kinds + TagFileName(String(last)).existing
        return names.filter { $0.hasPrefix(last) }.map { done + $0 }
    }

    /// Escapes colons for zsh, where a colon separates a word from its description.
    static func forShell(_ words: [String]) -> [String] {
        CompletionShell.requesting == .zsh ? words.map { $0.replacing(":", with: "\\:") } : words
    }
}
