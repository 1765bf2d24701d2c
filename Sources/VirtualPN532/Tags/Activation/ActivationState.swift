// Activation states of a type A tag — ISO/IEC 14443-3, PICC states for type A

/// The states IDLE, READY, ACTIVE and HALT, with their starred variants.
///
/// A tag that WUPA woke from HALT is in READY* or ACTIVE*. An error sends such a tag back to HALT, not to IDLE.
struct ActivationState: Hashable, Sendable {
    enum State: Hashable, Sendable { case idle, ready, active, halt }

    private(set) var state = State.idle
    private var isWokenFromHalt = false

    var isActive: Bool { state == .active }

    /// Resets the state because the field went off and on again.
    mutating func powerOff() {
        self = ActivationState()
    }

    /// Handles REQA or WUPA.
    ///
    /// Returns true if the tag answers with ATQA.
    mutating func poll(wakeUp: Bool) -> Bool {
        switch state {
        case .idle:
            isWokenFromHalt = false
        case .halt where wakeUp:
            isWokenFromHalt = true
        case .halt:
            return false
        case .ready, .active:
            // The command is invalid in these states, so it counts as an error and gets no answer.
            fallBack()
            return false
        }
        state = .ready
        return true
    }

    /// Handles SELECT with this tag's full UID.
    mutating func select() {
        if state == .ready { state = .active }
    }

    /// Handles HLTA.
    mutating func halt() {
        if state == .active { state = .halt }
    }

    /// Handles an error or an unexpected command in READY or ACTIVE.
    mutating func fallBack() {
        guard state == .ready || state == .active else { return }
        state = isWokenFromHalt ? .halt : .idle
    }
}
