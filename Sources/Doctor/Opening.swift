// Opening a reader to see whether it answers: what the caller does for the doctor, and what came of it

public import ReaderInterface
package import USBReaders

/// What keeps a reader from being used.
///
/// One case for each kind of remedy.
public enum Obstacle: Sendable {
    /// There is no such reader.
    case noReader
    /// Another program, or a driver of the kernel's, has it.
    case busy
    /// This user may not open it.
    case noPermission
    /// It is there and does not answer, or answers nonsense.
    case readerFailed
    /// Opening failed with an error of the caller's that is none of these, such as a name that means no reader.
    case other(any Error)
}

/// What came of opening a reader.
public enum Opening: Sendable {
    /// It answered; `chip` is what it says it is.
    case answered(chip: String?, after: Duration)
    /// It did not; `message` says why, in a sentence.
    case failed(Obstacle, message: String)
    /// Another program has it, as opening found out: `nfc-list (process 812)`.
    case held(by: String)

    /// What an error of opening means.
    ///
    /// Errors of another time, such as a tag that left, are ``Obstacle/other(_:)``.
    public init(_ error: ReaderError) {
        let message = error.description
        self =
            switch error {
            case .noReader: .failed(.noReader, message: message)
            case .busy(_, let holder?): .held(by: holder)
            case .busy(_, nil): .failed(.busy, message: message)
            case .noPermission: .failed(.noPermission, message: message)
            case .readerFailed: .failed(.readerFailed, message: message)
            case .noAnswer, .tagLost, .commandTooLong, .cannotSend, .aborted, .cannotListen, .initiatorLost:
                .failed(.other(error), message: message)
            }
    }
}

/// Opens readers for the doctor.
///
/// ``OpeningSession`` is one, by the sessions of this package. A program that uses readers by other means opens them as it does
/// otherwise.
public protocol ReaderOpener: Sendable {
    /// Opens a reader, learns what its chip is, and closes it again.
    ///
    /// A reader may be mute: an opener gives up after some seconds.
    ///
    /// - Parameter reader: the reader; ``Subject/connection`` is what to open.
    /// - Returns: what came of it.
    /// - Throws: `CancellationError` when the user does not want to wait for it.
    func open(_ reader: Subject) async throws(CancellationError) -> Opening
}

extension Diagnosis {
    /// Opens the readers without a known problem, one by one, and adds what came of it.
    ///
    /// - Parameter opener: what opens them.
    /// - Returns: the diagnosis with the openings.
    /// - Throws: `CancellationError` of the opener.
    public func opened(by opener: some ReaderOpener) async throws(CancellationError) -> Diagnosis {
        var openings: [String: Opening] = [:]
        for subject in candidates {
            openings[subject.connection] = try await opener.open(subject).refined(for: subject)
        }
        return with(openings)
    }
}

extension Opening {
    /// The same, with what the kernel says about the reader's interface where libnfc says nothing.
    ///
    /// Only libnfc's log distinguishes a reader that is in use from one that does not answer. So `claim` claims the
    /// interface of the reader on a port for a moment; it returns nil when that succeeds.
    func refined(for subject: Subject, claim: (PortPath) -> USBControlError? = Subject.testClaim) -> Opening {
        // pcscd's claim is not in the way of pcscd.
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
    /// Claims the interface of the reader on a port and gives it back; nil when that went well.
    package static func testClaim(_ port: PortPath) -> USBControlError? {
        do throws(USBControlError) {
            try USBInterfaceControl(port: port).testClaim()
            return nil
        } catch {
            return error
        }
    }
}
