// Why a URL was not verified — Docs/JSON.md, Errors

import SecureDynamicMessaging

/// The URL does not come from a tag with these keys, or cannot be parsed.
struct SDMFailure: Failure {
    let error: SDMError

    var name: ErrorName {
        switch error {
        case .undecipherable, .forged, .incomplete, .unlike: .notGenuine
        case .badTemplate, .impossible, .fileText: .usage
        }
    }

    var message: String { error.description }
}

/// A key file with a line that is not a key.
struct BadKeyFile: Failure {
    let path: String
    let error: SDMKeyFile.BadLine

    var name: ErrorName { .badFile }
    var message: String { "\(path), line \(error.number): \(error.reason)" }
    var details: [String: FailureDetail] { ["line": .number(error.number)] }
}
