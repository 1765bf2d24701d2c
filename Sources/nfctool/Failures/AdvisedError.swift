// Errors of the lower modules whose advice is in a separate file

/// An error with advice for the user about the next step.
protocol AdvisedError: Error {
    /// The advice in one to three lines, or nil if the advice for the kind of failure is enough.
    var advice: String? { get }
}
