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
