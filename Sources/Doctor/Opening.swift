// Opening a reader to see whether it answers: the protocol that a caller implements, and the result

public import ReaderInterface
package import USBReaders

/// The reason why a reader cannot be used, with one case for each kind of remedy.
public enum Obstacle: Sendable {
    /// There is no such reader.
    case noReader
    /// Another program or a kernel driver holds the reader.
    case busy
    /// This user may not open the reader.
    case noPermission
    /// The reader is present, but does not answer or answers incorrectly.
    case readerFailed
    /// Opening failed for another reason, such as a name that does not refer to a reader.
    case other(any Error)
}

/// The result of opening a reader.
public enum Opening: Sendable {
    /// The reader answered.
    ///
    /// `chip` is the chip that it reported, or nil if it reported none.
    case answered(chip: String?, after: Duration)
    /// The reader did not open or did not answer.
    ///
    /// `message` is a sentence with the reason.
    case failed(Obstacle, message: String)
    /// Opening failed because another program holds the reader, for example `nfc-list (process 812)`.
    case held(by: String)

    /// Creates the result for an error that occurred while a reader was opened.
    ///
    /// Errors that have nothing to do with opening, such as a tag that left, become ``Obstacle/other(_:)``.
    public init(_ error: ReaderError) {
        let message = error.description
        self =
            switch error {
            case .noReader: .failed(.noReader, message: message)
            case .busy(_, let holder?): .held(by: holder)
            case .busy(_, nil): .failed(.busy, message: message)
            case .noPermission: .failed(.noPermission, message: message)
            case .readerFailed(_, _, _, .tooFast): .failed(.other(error), message: message)
            case .readerFailed: .failed(.readerFailed, message: message)
            case .noAnswer, .tagLost, .commandTooLong, .cannotSend, .aborted, .cannotListen, .initiatorLost,
                .notInFile:
                .failed(.other(error), message: message)
            }
    }
}

/// Opens readers for the doctor.
///
/// ``OpeningSession`` does this with the sessions of this package. A program that uses readers in another way can open
/// them in its own way.
public protocol ReaderOpener: Sendable {
    /// Opens a reader, determines its chip, and closes it again.
    ///
    /// A reader may not respond at all, so an opener gives up after some seconds.
    ///
    /// - Parameter reader: the reader, which is opened by its ``Subject/connection``.
    /// - Returns: the result.
    /// - Throws: `CancellationError` if the user does not want to wait.
    func open(_ reader: Subject) async throws(CancellationError) -> Opening
}

extension Diagnosis {
    /// Opens the readers without a known problem, one by one, and adds the results.
    ///
    /// - Parameter opener: opens the readers.
    /// - Returns: the diagnosis with the results.
    /// - Throws: the `CancellationError` of the opener.
    public func opened(by opener: some ReaderOpener) async throws(CancellationError) -> Diagnosis {
        var openings: [String: Opening] = [:]
        for subject in candidates {
            openings[subject.connection] = try await opener.open(subject).refined(for: subject)
        }
        return with(openings)
    }
}

extension Opening {
    /// Returns the same result or, if libnfc gave no reason, the reason that the kernel gives.
    ///
    /// Only libnfc's log distinguishes a busy reader from one that does not answer. Therefore, `claim` briefly claims
    /// the interface of the reader on a port. It returns nil for success.
    func refined(for subject: Subject, claim: (PortPath) -> USBControlError? = Subject.testClaim) -> Opening {
        // For a reader that pcscd opens, pcscd's own claim is no obstacle.
        guard case .failed(.readerFailed, let message) = self, !subject.isSmartCardReader,
            let port = subject.usb?.reader.port
        else { return self }
        switch claim(port) {
        case .busy: return .failed(.busy, message: message)
        case .noPermission: return .failed(.noPermission, message: message)
        default: return self
        }
    }
}

extension Subject {
    /// Claims the interface of the reader on a port and releases it.
    ///
    /// Returns nil for success.
    package static func testClaim(_ port: PortPath) -> USBControlError? {
        do throws(USBControlError) {
            try USBInterfaceControl(port: port).testClaim()
            return nil
        } catch {
            return error
        }
    }
}
