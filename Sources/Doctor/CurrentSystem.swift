// The system this program runs on, now, and how it was called

import Foundation
package import USBReaders

extension SystemRoot {
    /// For tests: the folder with another system's files, in the place of `/`.
    private static let variable = "NFCTOOL_SYSTEM_ROOT"

    /// The system this program looks at.
    package static var current: SystemRoot {
        SystemRoot(path: ProcessInfo.processInfo.environment[variable] ?? "/")
    }
}

extension ReaderSurvey {
    /// What is there at this moment.
    package static func now() -> ReaderSurvey {
        ReaderSurvey(root: .current, environment: ProcessInfo.processInfo.environment)
    }
}

extension ReaderLabels {
    /// The user's own names for readers; none where their file has a mistake, which is reported where a label is used.
    package static var current: ReaderLabels {
        (try? read()) ?? ReaderLabels()
    }

    /// The user's own names for readers.
    ///
    /// - Throws: what is wrong with their file.
    package static func read() throws(ReaderLabelError) -> ReaderLabels {
        try ReaderLabels(root: .current, environment: ProcessInfo.processInfo.environment)
    }

    /// What a word for a reader stands for, as `--reader` takes it without labels.
    ///
    /// - Throws: what is wrong with the file of labels, for a word that can be one.
    package static func meaning(of word: String, in survey: ReaderSurvey) throws(ReaderLabelError) -> String {
        let labels = isLabel(word) ? try read() : ReaderLabels()
        return labels.meant(by: word, in: survey)
    }
}

extension ShellLine {
    /// Commands as this process's user types them.
    package static var current: ShellLine {
        let called = CommandLine.arguments.first ?? "nfctool"
        return ShellLine(program: called.contains("/") ? called : "nfctool", isRoot: geteuid() == 0)
    }
}
