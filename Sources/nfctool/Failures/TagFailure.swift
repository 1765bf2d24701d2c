// Maps the typed errors of the lower modules to the error names of Docs/JSON.md

import NDEF
import ReaderInterface
import USBReaders

struct TagFailure: Failure {
    let name: ErrorName
    let message: String
    let details: [String: FailureDetail]
    /// The typed error, which determines the advice.
    let cause: any Error

    /// Creates the failure for a typed error of the lower modules, or returns nil for any other error.
    init?(_ error: any Error) {
        if let failure = error as? TagFailure {
            self = failure
            return
        }
        cause = error
        details = FailureDetail.all(of: error)
        switch error {
        case let failure as any Failure: (name, message) = (failure.name, failure.message)
        case let error as any ClassifiedError: (name, message) = (ErrorName(error.kind), "\(error)")
        case let error as NDEFError: (name, message) = (.tagProtocol, "The tag's NDEF message is broken: \(error)")
        case let error as ReaderLabelError: (name, message) = (.badFile, error.sentence)
        default: return nil
        }
    }
}

extension Failure where Self: ClassifiedError {
    var name: ErrorName { ErrorName(kind) }
}

extension ErrorName {
    init(_ kind: FailureKind) {
        self =
            switch kind {
            case .tagGone: .tagLost
            case .noTagCame: .timeout
            case .severalTags: .severalTags
            case .brokenRules: .tagProtocol
            case .readOnly: .readOnly
            case .passwordNeeded: .passwordNeeded
            case .wrongPassword: .wrongPassword
            case .passwordUnanswered: .passwordUnanswered
            case .doesNotFit: .tooLarge
            case .wrongChip: .wrongChip
            case .notNDEF: .notNDEF
            case .readerGone: .readerIO
            case .noReader: .noReader
            case .readerBusy: .readerBusy
            case .noPermission: .noPermission
            case .wrongReader: .wrongReader
            case .interrupted: .interrupted
            case .unfinished: .unfinishedWrite
            case .badFile: .badFile
            case .badPlan: .badPlan
            case .journalBusy: .journalBusy
            case .journalAway: .journalAway
            case .notAllowed: .noPermission
            case .notAgreed: .confirmationNeeded
            case .usage: .usage
            case .internal: .internal
            }
    }
}
