// A scan of the tags in the field, which continues after the reader was unplugged and plugged in again

import ReaderInterface
public import ReaderSession
import TagTypes

/// Receives the events of a scan.
///
/// Its functions are called from one task.
public protocol ScanObserver: Sendable {
    /// A tag was found, whether or not it could be read. The scan waits until this function returns.
    func tagCame(_ reading: TagReading, in session: TagSession) async throws

    /// A reported tag is gone. The session is nil if its reader is gone too.
    func tagLeft(_ uid: [UInt8], reader: String, in session: TagSession?) throws

    /// There are more tags on the reader than it can distinguish.
    func moreTags()

    /// The open reader is gone. The scan waits for it.
    func readerLost(_ reader: String, _ loss: ReaderLoss) throws

    /// The reader is back.
    func readerIsBack(_ reader: String) throws
}

/// A scan over one or more sessions.
///
/// If its reader is lost, the scan waits and reopens it at the same port. The field is switched off and on between
/// polls, so each poll finds all tags in the field. A scan can be used from any thread.
public final class TagScan: Sendable {
    /// The settings of a scan.
    public struct Setup: Sendable {
        /// The settings of the sessions: the reader, the tags, and the passwords and keys that open them.
        public var session: TagSession.Setup
        /// The UID of the only tag to report, or nil for all tags.
        public var uid: [UInt8]?
        /// The number of tags after which the scan ends, or nil for no limit.
        public var count: Int?
        /// The duration of the scan, or nil for no limit.
        public var length: Duration?
        /// How long to wait for the next tag, or nil for no limit.
        public var patience: Duration?

        /// Creates the settings of a scan.
        public init(
            _ session: TagSession.Setup, uid: [UInt8]? = nil, count: Int? = nil, length: Duration? = nil,
            patience: Duration? = nil
        ) {
            self.session = session
            self.uid = uid
            self.count = count
            self.length = length
            self.patience = patience
        }
    }

    private let setup: Setup
    private let observer: any ScanObserver
    private let work = InterruptibleWork()

    /// Creates a scan.
    ///
    /// Nothing happens before ``run()``.
    public init(_ setup: Setup, observer: any ScanObserver) {
        self.setup = setup
        self.observer = observer
    }

    /// Scans until it is over.
    ///
    /// - Throws: `NoTagCame`; ``Interrupted``; the reason why the reader could not be opened; what the observer throws;
    ///   the error for a password that a tag did not accept, at the end of an otherwise successful scan.
    public func run() async throws {
        try await work.run { try await self.keepScanning() }.get()
    }

    /// Ends the scan.
    ///
    /// This returns immediately.
    public func interrupt() { work.interrupt() }

    private func keepScanning() async throws {
        var progress = ScanProgress(setup, observer)
        while let loss = try await scan(&progress) {
            try progress.readerFailed(loss)
            if try progress.isOver() { break }
            try await progress.readerReturn.pause(after: loss, for: progress.reader)
        }
        if let failure = progress.passwordFailure { throw failure }
    }

    /// Runs one session.
    ///
    /// Returns nil if the scan is over.
    private func scan(_ progress: inout ScanProgress) async throws -> ReaderLoss? {
        var setup = setup.session
        setup.reader = progress.reader ?? setup.reader
        let before = progress
        let (after, loss) = try await work.run(in: setup) { session in
            var progress = before
            do {
                try await progress.run(in: session)
                return (progress, ReaderLoss?.none)
            } catch {
                guard let loss = ReaderLoss(error) else { throw error }
                return (progress, loss)
            }
        }
        progress = after
        return loss
    }
}
