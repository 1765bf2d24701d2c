// Activation states of a type A tag — ISO/IEC 14443-3, PICC states for type A

/// The activation state: IDLE, READY, ACTIVE or HALT, or one of the starred variants.
///
/// A tag that WUPA woke from HALT is in READY* or ACTIVE*. An error then moves the tag back to HALT instead of IDLE.
struct ActivationState: Hashable, Sendable {
    enum State: Hashable, Sendable { case idle, ready, active, halt }

    private(set) var state = State.idle
    private var isWokenFromHalt = false

    var isActive: Bool { state == .active }

    mutating func powerOff() {
        self = ActivationState()
    }

    /// Handles REQA or WUPA, and returns whether the tag answers with ATQA.
    mutating func poll(wakeUp: Bool) -> Bool {
        switch state {
        case .idle:
            isWokenFromHalt = false
        case .halt where wakeUp:
            isWokenFromHalt = true
        case .halt:
            return false
        case .ready, .active:
            // The command is invalid in these states. It counts as an error and gets no answer.
            fallBack()
            return false
        }
        state = .ready
        return true
    }

    mutating func select() {
        if state == .ready { state = .active }
    }

    mutating func halt() {
        if state == .active { state = .halt }
    }

    /// Handles an error or an unexpected command in READY or ACTIVE.
    mutating func fallBack() {
        guard state == .ready || state == .active else { return }
        state = isWokenFromHalt ? .halt : .idle
    }
}
