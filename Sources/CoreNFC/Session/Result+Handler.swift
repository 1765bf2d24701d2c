// Between results and the handlers of Objective-C, which get a value and an error

extension Result where Failure == any Error {
    /// What a completion handler was given: the value means nothing beside an error.
    init(_ value: @autoclosure () -> Success, unless error: (any Error)?) {
        self = if let error { .failure(error) } else { .success(value()) }
    }
}
