// The kind of failure of a tag error

public import ReaderInterface

extension TagError: ClassifiedError {
    /// The kind of failure.
    public var kind: FailureKind {
        switch self {
        case .reader(let error): error.kind
        case .notNDEF, .notBlank: .notNDEF
        case .unsupported: .wrongChip
        case .readOnly, .cannotMakeReadOnly: .readOnly
        // In these cases, the state of the tag is not known. The user should hold the tag still or read it again.
        case .noReliableAnswer, .changedSincePlanned: .tagGone
        case .tooLong, .noRoomBeside: .doesNotFit
        // 6982 is "security status not satisfied", 6985 is "conditions of use not satisfied" — ISO/IEC 7816-4
        case .commandFailed(_, _, sw: 0x6982?), .commandFailed(_, _, sw: 0x6985?): .passwordNeeded
        case .protocolViolation, .commandFailed, .sectorBlocked, .verificationFailed, .lockWithoutEffect,
            .changedByLock:
            .brokenRules
        case .passwordNeeded, .passwordUnsupported, .keyNeeded, .messageNeedsKey: .passwordNeeded
        case .refused(_, _, let status): status.wantsAuthentication ? .passwordNeeded : .brokenRules
        case .wrongPassword, .wrongKey, .factoryKeys, .foreignPACK: .wrongPassword
        case .passwordAtRisk: .passwordNeeded
        case .passwordUnanswered: .passwordUnanswered
        case .writeInterrupted(_, _, _, let cause), .lockInterrupted(_, _, let cause),
            .protectionInterrupted(_, _, let cause):
            cause.kind
        }
    }
}
