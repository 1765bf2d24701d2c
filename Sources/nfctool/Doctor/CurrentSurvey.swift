// The survey of the system this program runs on, now

import Foundation
import USBReaders

extension SystemRoot {
    /// For tests: the folder with another system's files, in the place of `/`.
    private static let variable = "NFCTOOL_SYSTEM_ROOT"

    /// The system this program looks at.
    static var current: SystemRoot {
        SystemRoot(path: ProcessInfo.processInfo.environment[variable] ?? "/")
    }
}

extension ReaderSurvey {
    /// What is there at this moment.
    static func now() -> ReaderSurvey {
        ReaderSurvey(root: .current, environment: ProcessInfo.processInfo.environment)
    }
}

extension ReaderLabels {
    /// The user's own names for readers; none where their file is not understood, which is told of where one is used.
    static var current: ReaderLabels {
        (try? read()) ?? ReaderLabels()
    }

    /// The user's own names for readers.
    ///
    /// - Throws: what is wrong with their file.
    static func read() throws(ReaderLabelError) -> ReaderLabels {
        try ReaderLabels(root: .current, environment: ProcessInfo.processInfo.environment)
    }

    /// What a label or a serial number stands for, as `--reader` takes it, by its port where it is plugged in; any other
    /// word stands for itself.
    func meant(by word: String, in survey: ReaderSurvey) -> String {
        let meaning =
            switch target(of: word) {
            case .port(let port): "usb:\(port)"
            case .serial(let serial): "serial:\(serial)"
            case .connection(let connection): connection
            case nil: word
            }
        guard meaning.hasPrefix("serial:") else { return meaning }
        let serial = String(meaning.dropFirst("serial:".count))
        return survey.readers.first { $0.reader.serial == serial }.map { "usb:\($0.reader.port)" } ?? meaning
    }
}
