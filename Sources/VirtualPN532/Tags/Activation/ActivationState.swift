// Activation states of a type A tag — ISO/IEC 14443-3, PICC states for type A

/// The states IDLE, READY, ACTIVE and HALT, with their starred twins.
///
/// A tag that was woken from HALT by WUPA is in READY* and ACTIVE*: an error sends it back to HALT, not to IDLE.
struct ActivationState: Hashable, Sendable {
    enum State: Hashable, Sendable { case idle, ready, active, halt }

    private(set) var state = State.idle
    private var isWokenFromHalt = false

    var isActive: Bool { state == .active }

    /// The field went off, and on again.
    mutating func powerOff() {
        self = ActivationState()
    }

    /// REQA or WUPA; true when the tag answers with ATQA.
    mutating func poll(wakeUp: Bool) -> Bool {
        switch state {
        case .idle:
            isWokenFromHalt = false
        case .halt where wakeUp:
            isWokenFromHalt = true
        case .halt:
            return false
        case .ready, .active:
            // No valid command of these states: an error, and silence.
            fallBack()
            return false
        }
        state = .ready
        return true
    }

    /// SELECT with this tag's full UID.
    mutating func select() {
        if state == .ready { state = .active }
    }

    /// HLTA.
    mutating func halt() {
        if state == .active { state = .halt }
    }

    /// An error or an unexpected command in READY or ACTIVE.
    mutating func fallBack() {
        guard state == .ready || state == .active else { return }
        state = isWokenFromHalt ? .halt : .idle
    }
}
