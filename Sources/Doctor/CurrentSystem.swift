// The present state of the system on which this program runs, and the name under which the program was called

import Foundation
package import USBReaders

extension SystemRoot {
    /// The variable for a folder with another system's files, which tests use instead of `/`.
    private static let variable = "NFCTOOL_SYSTEM_ROOT"

    /// The system that this program examines.
    package static var current: SystemRoot {
        SystemRoot(path: ProcessInfo.processInfo.environment[variable] ?? "/")
    }
}

extension ReaderSurvey {
    package static func now() -> ReaderSurvey {
        ReaderSurvey(root: .current, environment: ProcessInfo.processInfo.environment)
    }
}

extension ReaderLabels {
    /// The user's labels for readers.
    ///
    /// Empty if their file has an error, which is reported when a label is used.
    package static var current: ReaderLabels {
        (try? read()) ?? ReaderLabels()
    }

    /// Reads the user's labels for readers.
    ///
    /// - Throws: the error in the label file.
    package static func read() throws(ReaderLabelError) -> ReaderLabels {
        try ReaderLabels(root: .current, environment: ProcessInfo.processInfo.environment)
    }

    /// The path of the user's label file in the form that users see.
    package static var currentFileName: String { fileName(environment: ProcessInfo.processInfo.environment) }

    /// Returns the reader for which a word stands, as a name for `--reader` that is not a label.
    ///
    /// - Throws: the error in the label file, if the word can be a label.
    package static func meaning(of word: String, in survey: ReaderSurvey) throws(ReaderLabelError) -> String {
        let labels = isLabel(word) ? try read() : ReaderLabels()
        return labels.meant(by: word, in: survey)
    }
}

extension ShellLine {
    /// Formats commands for the user of this process.
    package static var current: ShellLine {
        let called = CommandLine.arguments.first ?? "nfctool"
        return ShellLine(program: called.contains("/") ? called : "nfctool", isRoot: geteuid() == 0)
    }
}
