// From the typed errors of the modules below to the error names of Docs/JSON.md

import NDEF
import ReaderInterface
import ReaderSession
import TagTypes
import USBReaders
import VirtualPN532
import WriteJournal

/// A failure of a reader, a tag, or of what is on the tag.
struct TagFailure: Failure {
    let name: ErrorName
    let message: String
    let details: [String: FailureDetail]
    /// The typed error, for advice.
    let cause: any Error

    init(name: ErrorName, message: String, details: [String: FailureDetail], cause: any Error) {
        self.name = name
        self.message = message
        self.details = details
        self.cause = cause
    }

    /// Classifies an error of a session; nil for errors from elsewhere.
    init?(_ error: any Error) {
        if let failure = error as? TagFailure {
            self = failure
            return
        }
        cause = error
        switch error {
        case let failure as any Failure:
            (name, message, details) = (failure.name, failure.message, failure.details)
        case let error as ReaderError:
            (name, message, details) = (error.name, error.description, [:])
        case let error as TagError:
            (name, message, details) = (error.name, error.description, error.details)
        case let error as NDEFError:
            name = .tagProtocol
            message = "The tag's NDEF message is broken: \(error)"
            details = ["field": .text(error.field.rawValue), "offset": .number(error.offset)]
        case let error as VirtualReaderError:
            (name, message, details) = (error.name, error.description, [:])
        case let error as ReaderLabelError:
            (name, message, details) = (.badFile, error.sentence, [:])
        case let error as WriteJournalError:
            (name, message, details) = (.badFile, error.description, [:])
        case let error as SessionError:
            (name, message, details) = (error == .ended ? .interrupted : .internal, error.description, [:])
        default:
            return nil
        }
    }
}

extension TagFailure {
    /// Whether a lock was refused before its first step.
    var isBeforeAnyChange: Bool {
        switch cause {
        case TagError.cannotMakeReadOnly, TagError.changedSincePlanned: true
        default: false
        }
    }

    /// Whether a password was given, and did not open the tag.
    var isOfPassword: Bool {
        switch cause {
        case TagError.wrongPassword, TagError.foreignPACK, TagError.passwordUnanswered, is PasswordRisk,
            is PerhapsClosed:
            true
        default: false
        }
    }
}

extension ReaderError {
    fileprivate var name: ErrorName {
        switch self {
        case .noReader: .noReader
        case .busy: .readerBusy
        case .noPermission: .noPermission
        case .readerFailed: .readerIO
        case .noAnswer, .tagLost, .initiatorLost: .tagLost
        case .cannotListen: .wrongReader
        case .commandTooLong: .internal
        case .aborted: .interrupted
        }
    }
}

extension TagError {
    fileprivate var name: ErrorName {
        switch self {
        case .reader(let error): error.name
        case .notNDEF, .notBlank: .notNDEF
        case .unsupported: .wrongChip
        case .readOnly, .cannotMakeReadOnly: .readOnly
        // Nothing is known about the tag but that it should be held still, or looked at again.
        case .noReliableAnswer, .changedSincePlanned: .tagLost
        case .tooLong, .noRoomBeside: .tooLarge
        // Security status not satisfied, conditions of use not satisfied — ISO/IEC 7816-4
        case .commandFailed(_, _, sw: 0x6982?), .commandFailed(_, _, sw: 0x6985?): .passwordNeeded
        case .protocolViolation, .commandFailed, .verificationFailed, .lockWithoutEffect, .changedByLock: .tagProtocol
        case .passwordNeeded, .keyNeeded: .passwordNeeded
        case .refused(_, _, let status): status.wantsAuthentication ? .passwordNeeded : .tagProtocol
        case .wrongPassword, .foreignPACK: .wrongPassword
        case .passwordAtRisk: .passwordNeeded
        case .passwordUnanswered: .passwordUnanswered
        case .writeInterrupted(_, _, _, let cause), .lockInterrupted(_, _, let cause),
            .protectionInterrupted(_, _, let cause):
            cause.name
        }
    }

    fileprivate var details: [String: FailureDetail] {
        switch self {
        case .tooLong(let length, let capacity), .noRoomBeside(let length, let capacity):
            ["needed": .number(length), "capacity": .number(capacity)]
        case .protocolViolation(let field, _, _, let offset):
            offset.map { ["field": .text(field), "offset": .number($0)] } ?? ["field": .text(field)]
        case .verificationFailed(let offset): ["offset": .number(offset)]
        case .writeInterrupted(let contents, _, _, _): ["contents": .text("\(contents)")]
        case .wrongPassword(.count(let remaining)): ["remaining": .number(remaining)]
        default: [:]
        }
    }
}

extension VirtualReaderError {
    fileprivate var name: ErrorName {
        switch self {
        case .notAKind, .notAnOption, .badValue, .noFileFormat, .withoutEffect, .fileNamedTwice: .usage
        case .fileInaccessible, .badFile, .fileNotText, .noSocket: .badFile
        case .fileInUse: .readerBusy
        case .noPseudoTerminal, .noThread, .noAntenna: .noReader
        }
    }
}
