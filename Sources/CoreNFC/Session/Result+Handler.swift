// Between results and the handlers of Objective-C, which get a value and an error

extension Result where Failure == any Error {
    /// The arguments of a completion handler.
    ///
    /// With an error, the value has no meaning.
    init(_ value: @autoclosure () -> Success, unless error: (any Error)?) {
        self = if let error { .failure(error) } else { .success(value()) }
    }
}
