// Errors of the lower modules that get their advice in a file of their own

/// An error with advice for the user about the next step.
protocol AdvisedError: Error {
    /// One to three lines, or nil if the advice for the kind of failure is enough.
    var advice: String? { get }
}
