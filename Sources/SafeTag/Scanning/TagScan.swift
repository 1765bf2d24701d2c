// A scan: which tags are in the field now, and which were a moment ago, also when the reader comes and goes

import ReaderInterface
public import ReaderSession
import TagTypes

/// Receives the events of a scan; called from one task.
public protocol ScanObserver: Sendable {
    /// A tag came, and was read or could not be read; what follows waits for this.
    func tagCame(_ reading: TagReading, in session: TagSession) async throws

    /// A tag that came is gone; the session is nil when its reader is gone, too.
    func tagLeft(_ uid: [UInt8], reader: String, in session: TagSession?) throws

    /// There are more tags on the reader than it can distinguish.
    func moreTags()

    /// The reader that was open is gone, and is waited for.
    func readerLost(_ reader: String, _ loss: ReaderLoss) throws

    /// The reader is back.
    func readerIsBack(_ reader: String) throws
}

/// A scan, from its first session to its end; a reader that was open once and is lost is waited for, and opened again by its port.
///
/// The field is switched off and on between polls, so each poll finds all tags that are there. Any thread.
public final class TagScan: Sendable {
    /// What a scan looks for, and how long.
    public struct Setup: Sendable {
        /// The reader, the tags, and what opens them.
        public var session: TagSession.Setup
        /// The only tag to report; nil for all.
        public var uid: [UInt8]?
        /// The number of tags after which it ends; nil for no end.
        public var count: Int?
        /// How long it lasts; nil for no end.
        public var length: Duration?
        /// How long to wait for the next tag; nil for no limit.
        public var patience: Duration?

        /// Describes a scan.
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

    /// Describes a scan; nothing happens before ``run()``.
    public init(_ setup: Setup, observer: any ScanObserver) {
        self.setup = setup
        self.observer = observer
    }

    /// Scans until it is over.
    ///
    /// - Throws: `NoTagCame`; ``Interrupted``; why the reader could not be opened at all; what the observer throws; the error of a
    ///   password that a tag did not take, at the end of a scan that went well otherwise.
    public func run() async throws {
        try await work.run { try await self.keepScanning() }.get()
    }

    /// Ends the scan from outside; returns at once.
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

    /// One session; nil when the scan is over.
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
