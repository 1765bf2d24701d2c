// The failure of a command: the name for scripts, the exit code, a message, and details for scripts — Docs/JSON.md

/// The `error` word of a failure, which also determines the exit code.
enum ErrorName: String, CaseIterable, Encodable {
    case usage, confirmationNeeded
    case badNDEF, badPlan, badFile, notGenuine, tagsDiffer
    case noReader, readerBusy, noKeyboard, addressBusy
    case `internal`
    case readerIO
    case timeout, tagLost, passwordUnanswered, rowsLeft, journalBusy, journalAway, unfinishedWrite
    case tagProtocol
    case readOnly, passwordNeeded, wrongPassword, noPermission
    case tooLarge, wrongChip, wrongReader, notNDEF, severalTags
    case interrupted

    /// The exit code, from sysexits.h where that file has a suitable one.
    var exitStatus: Int32 {
        switch self {
        case .usage, .confirmationNeeded: 64
        case .badNDEF, .badPlan, .badFile, .notGenuine, .tagsDiffer: 65
        case .noReader, .readerBusy, .noKeyboard, .addressBusy: 69
        case .internal: 70
        case .readerIO: 74
        case .timeout, .tagLost, .passwordUnanswered, .rowsLeft, .journalBusy, .journalAway, .unfinishedWrite: 75
        case .tagProtocol: 76
        case .readOnly, .passwordNeeded, .wrongPassword, .noPermission: 77
        case .tooLarge, .wrongChip, .wrongReader, .notNDEF, .severalTags: 78
        case .interrupted: 130
        }
    }

    /// The exit code if standard output was closed.
    ///
    /// A shell shows the same code for a program that SIGPIPE terminated.
    static let statusOfClosedOutput: Int32 = 128 + 13
}

/// The value of a detail of a failure in JSON.
enum FailureDetail: Hashable, Encodable {
    case number(Int)
    case text(String)
    case list([String])
    case flag(Bool)

    func encode(to encoder: any Encoder) throws {
        var container = encoder.singleValueContainer()
        switch self {
        case .number(let number): try container.encode(number)
        case .text(let text): try container.encode(text)
        case .list(let list): try container.encode(list)
        case .flag(let flag): try container.encode(flag)
        }
    }
}

protocol Failure: Error, CustomStringConvertible {
    var name: ErrorName { get }
    /// The error and its cause, in full sentences.
    ///
    /// Text from a tag is not escaped here. It is escaped when the message is printed.
    var message: String { get }
    /// The items that the message is about.
    ///
    /// They are printed below the message, one per line. In JSON, they are part of the details.
    var lines: [String] { get }
    /// The details by their names in Docs/JSON.md, such as `offset`, `field`, `needed`, `capacity` and `uids`.
    var details: [String: FailureDetail] { get }
}

extension Failure {
    var description: String { message }
    var lines: [String] { [] }
    var details: [String: FailureDetail] { [:] }
}

/// The options or arguments of the command are wrong.
struct UsageFailure: Failure {
    let message: String
    var name: ErrorName { .usage }
}
