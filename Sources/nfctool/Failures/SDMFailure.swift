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

    var message: String {
        switch error {
        case .forged:
            "The MAC does not match these keys. The URL was forged or changed, or comes from another tag."
        case .undecipherable:
            "The UID cannot be decrypted with these keys. The URL was forged or changed, or comes from another tag."
        case .incomplete(let part): "The URL has no \(part.words)."
        case .unlike(let template): "The URL does not match the template \(template)."
        case .badTemplate(let placeholder):
            "The template is wrong at \(placeholder). It needs {mac}, and {picc} or {uid}, each exactly once."
        case .impossible(let placeholder):
            "No tag supports \(placeholder) in this place. {signed} and {file:…} come before {mac}, in this order, and {file:…} needs {picc}, or {uid} and {counter}."
        case .fileText(0): "--file-text needs {file:32} in the template, or a larger multiple of 32."
        case .fileText(let length):
            "--file-text takes \(length) ASCII characters, half the number at {file:\(2 * length)}."
        }
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

extension SDMPart {
    fileprivate var words: String {
        switch self {
        case .uid: "UID (14 hexadecimal digits)"
        case .counter: "counter (6 hexadecimal digits)"
        case .picc: "UID: neither encrypted (32 hexadecimal digits) nor in plain text (14)"
        case .file: "encrypted file data"
        case .mac: "MAC (16 hexadecimal digits)"
        }
    }
}
