// Conversion between results and Objective-C's handlers, which receive a value and an error

extension Result where Failure == any Error {
    /// Creates a result from the arguments of a completion handler.
    ///
    /// If there is an error, the value has no meaning and is not evaluated.
    init(_ value: @autoclosure () -> Success, unless error: (any Error)?) {
        self = if let error { .failure(error) } else { .success(value()) }
    }
}
