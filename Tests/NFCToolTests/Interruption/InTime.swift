// Signals that must reach a command while it works

/// Repeats an attempt whose signal came too late, as may happen on a busy machine, at most ten times.
///
/// - Parameter attempt: sends the signal, checks the result, and returns true. If the command had already done its work,
///   the attempt returns false without a check, unless it is the last one.
/// - Throws: what the attempt throws.
func inTime(_ attempt: (_ isLast: Bool) async throws -> Bool) async throws {
    for number in 1...10 {
        if try await attempt(number == 10) { return }
    }
}
