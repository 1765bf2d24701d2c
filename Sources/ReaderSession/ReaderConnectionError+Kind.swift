// The kind of failure of a connection string with an invalid option

public import ReaderInterface
public import USBReaders

extension ReaderConnectionError: ClassifiedError {
    /// The kind of failure.
    public var kind: FailureKind { .usage }
}
