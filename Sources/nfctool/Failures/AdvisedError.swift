// Errors of the lower modules whose advice is in a separate file

/// An error with advice for the user about the next step.
protocol AdvisedError: Error {
    /// One to three lines, or nil if the advice for the kind of failure is enough.
    var advice: String? { get }
}
