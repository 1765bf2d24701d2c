// Why an address was not verified — Docs/JSON.md, Errors

import SecureDynamicMessaging

/// The address is not of a tag with these keys, or it cannot be told.
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
            "The signature is not of a tag with these keys: the address was made up or changed, or is of another tag."
        case .undecipherable:
            "The enciphered UID cannot be read with these keys: the address was made up or changed, or is of another tag."
        case .incomplete(let part): "The address has no \(part.words)."
        case .unlike(let template): "The address does not have the form \(template)."
        case .badTemplate(let placeholder):
            "A template needs {mac}, and {picc} or {uid}, each once; see \(placeholder)."
        case .impossible(let placeholder):
            "No tag can do this: \(placeholder). {signed} and {file:…} come before {mac}, in this order, and {file:…} needs {picc}, or {uid} and {counter}."
        case .fileText(0): "--file-text needs {file:32} in the template, or a larger multiple of 32."
        case .fileText(let length):
            "--file-text takes \(length) ASCII characters, half the number at {file:\(2 * length)}."
        }
    }
}

/// A file of keys that is none.
struct BadKeyFile: Failure {
    let path: String
    let line: Int

    var name: ErrorName { .badFile }
    var message: String {
        "\(path), line \(line): no key. A key file holds 32 hexadecimal digits, or lines such as 0 = …, meta = … and file = …."
    }
    var details: [String: FailureDetail] { ["line": .number(line)] }
}

extension SDMPart {
    fileprivate var words: String {
        switch self {
        case .uid: "UID (14 hexadecimal digits)"
        case .counter: "counter (6 hexadecimal digits)"
        case .picc: "enciphered UID (32 hexadecimal digits), and no UID in plain text (14)"
        case .file: "enciphered file data"
        case .mac: "signature (16 hexadecimal digits)"
        }
    }
}
