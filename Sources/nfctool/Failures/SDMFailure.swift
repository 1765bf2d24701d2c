// Why a URL was not verified — Docs/JSON.md, Errors

import SecureDynamicMessaging

struct SDMFailure: Failure, AdvisedError {
    let error: SDMError
    /// Whether the factory keys were used, because no other keys were given.
    var hasFactoryKeys = false
    /// Whether the values were recognised by their lengths, because no template was given.
    var hasNoTemplate = false

    var name: ErrorName {
        switch error {
        case .undecipherable, .forged, .incomplete, .misshapenMAC, .unlike: .notGenuine
        case .badTemplate, .templateLacks, .impossible, .fileText: .usage
        }
    }

    var message: String { error.description }

    /// Advice for the user.
    ///
    /// Nil if the message already contains it, or if there is none.
    var advice: String? {
        switch error {
        case .incomplete:
            "Values that are not in the query need a template:  --template 'https://example.com/{uid}/{counter}/{mac}'"
        case .forged, .undecipherable:
            hints.isEmpty ? nil : hints.joined(separator: "\n")
        default: nil
        }
    }

    /// The possible reasons why a genuine URL is not verified.
    private var hints: [String] {
        (hasFactoryKeys ? ["The keys were those of a new tag, all zeros. For other keys:  --key-file FILE"] : [])
            + (hasNoTemplate
                ? ["If the tag was set up with {signed}, or with values outside the query, add:  --template URL"] : [])
    }
}

/// A key file with a line that is not a key.
struct BadKeyFile: Failure {
    let path: String
    let error: SDMKeyFile.BadLine

    var name: ErrorName { .badFile }
    var message: String { "\(path), line \(error.number): \(error.reason)" }
    var details: [String: FailureDetail] { ["line": .number(error.number)] }
}
