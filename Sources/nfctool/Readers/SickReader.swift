// How `doctor` ends when no reader can be used

import Doctor

/// No reader can be used; the report says why.
struct SickReader: Failure {
    let name: ErrorName
    let message: String
    let canFix: Bool

    init(_ problem: Examination, canFix: Bool) {
        name = problem.obstacle?.errorName ?? .noReader
        let reader = problem.reader.map { "The reader \($0)" } ?? "No reader"
        message = "\(reader) can\(problem.reader == nil ? "" : "not") be used: \(problem.statement)."
        self.canFix = canFix
    }

    /// The remedies stand above it; what is left to say is that they need not be typed.
    var advice: String? { canFix ? "nfctool doctor --fix lists the commands that help; with --yes it runs them." : nil }
}

extension Obstacle {
    /// The `error` word of Docs/JSON.md.
    var errorName: ErrorName {
        switch self {
        case .noReader: .noReader
        case .busy: .readerBusy
        case .noPermission: .noPermission
        case .readerFailed: .readerIO
        case .other(let error): TagFailure(error)?.name ?? .internal
        }
    }
}
