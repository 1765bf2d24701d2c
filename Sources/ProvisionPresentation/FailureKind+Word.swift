// The names of failures in the events of a plan — Docs/JSON.md, Errors

import ReaderInterface

extension FailureKind {
    /// The value of `error` in JSON.
    var word: String {
        switch self {
        case .tagGone: "tagLost"
        case .noTagCame: "timeout"
        case .severalTags: "severalTags"
        case .brokenRules: "tagProtocol"
        case .readOnly: "readOnly"
        case .passwordNeeded: "passwordNeeded"
        case .wrongPassword: "wrongPassword"
        case .passwordUnanswered: "passwordUnanswered"
        case .doesNotFit: "tooLarge"
        case .wrongChip: "wrongChip"
        case .notNDEF: "notNDEF"
        case .readerGone: "readerIO"
        case .noReader: "noReader"
        case .readerBusy: "readerBusy"
        case .noPermission, .notAllowed: "noPermission"
        case .wrongReader: "wrongReader"
        case .interrupted: "interrupted"
        case .unfinished: "unfinishedWrite"
        case .badFile: "badFile"
        case .badPlan: "badPlan"
        case .journalBusy: "journalBusy"
        case .journalAway: "journalAway"
        case .notAgreed: "confirmationNeeded"
        case .usage: "usage"
        case .internal: "internal"
        }
    }
}
