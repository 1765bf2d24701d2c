// The survey of the system this program runs on, now

import Foundation
import USBReaders

extension ReaderSurvey {
    /// For tests: the folder with another system's files, in the place of `/`.
    static let rootVariable = "NFCTOOL_SYSTEM_ROOT"

    /// What is there at this moment.
    static func now() -> ReaderSurvey {
        let environment = ProcessInfo.processInfo.environment
        return ReaderSurvey(root: SystemRoot(path: environment[rootVariable] ?? "/"), environment: environment)
    }
}
