// Error names and details for invalid input and invalid record options, for scripts — Docs/JSON.md, Errors

import Composing
import Hexadecimal
import NDEF
import RecordPresentation

extension InputError: Failure {
    var message: String { [description, advice].compactMap(\.self).joined(separator: " ") }

    var name: ErrorName {
        switch self {
        case .unreadable, .tooLong, .notHex: .badFile
        case .notMessage, .hexText: .badNDEF
        }
    }

    var details: [String: FailureDetail] {
        switch self {
        case .unreadable, .tooLong: [:]
        case .notHex(_, let error): ["offset": .number(error.offset)]
        case .notMessage(_, let error), .hexText(_, let error):
            ["field": .text(error.field.rawValue), "offset": .number(error.offset)]
        }
    }
}

extension RecordOptionError: Failure {
    var message: String { [description, advice].compactMap(\.self).joined(separator: " ") }

    var name: ErrorName {
        switch self {
        case .input(let error): error.name
        case .orderLost: .internal
        case .noRecords, .noValue, .badForm, .badValue, .titleWithoutPoster, .secondTitle, .placeholderWithoutTag,
            .standardInputTwice:
            .usage
        }
    }

    var details: [String: FailureDetail] {
        if case .input(let error) = self { error.details } else { [:] }
    }
}
