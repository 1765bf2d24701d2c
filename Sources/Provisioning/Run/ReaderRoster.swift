// The state of a run's readers: which are working or lost, and when work last ended

import Foundation

/// The state that the readers of a run share, apart from rows: when to end, and the names by which readers are
/// reopened.
actor ReaderRoster {
    private let patience: Duration?
    private var isStopped = false
    private var working = 0
    private var lostReaders: Set<String> = []
    /// The names that identify readers even after they were unplugged, by the readers' names on the command line.
    private var openNames: [String: String] = [:]
    private var lastWork = ContinuousClock.now
    /// Whether any reader has finished a poll.
    private var hasLooked = false
    /// How much longer to wait for a tag if no reader has finished a poll.
    private static let firstPoll = Duration.seconds(5)
    /// The UIDs of the tags on each open reader, by the reader's name.
    private var present: [String: Set<[UInt8]>] = [:]

    /// Creates a roster without readers.
    ///
    /// - Parameter patience: how long to wait for a tag, or nil to wait forever.
    init(patience: Duration?) { self.patience = patience }

    /// Notes that work on a new tag begins.
    ///
    /// The wait for the next tag begins when this work ends.
    func workBegins() { working += 1 }

    /// Notes that the work on a tag is done, or that the tag has left.
    func workEnds() {
        working -= 1
        lastWork = .now
    }

    func note(_ uids: Set<[UInt8]>, on reader: String) { present[reader] = uids }

    /// Returns another reader that has a tag with this UID now, or nil if there is none.
    func reader(with uid: [UInt8], besides reader: String) -> String? {
        present.filter { $0.key != reader && $0.value.contains(uid) }.keys.min()
    }

    /// Notes that a reader has finished a poll.
    ///
    /// The wait for the first tag begins again when this happens for the first time.
    func looked() {
        guard !hasLooked else { return }
        hasLooked = true
        lastWork = .now
    }

    /// Notes that no tag can be worked on at the moment.
    ///
    /// The wait for the next tag begins again.
    func workIsSuspended() { lastWork = .now }

    /// Marks a reader as lost.
    ///
    /// Returns false if it was already marked.
    func readerLost(_ reader: String) -> Bool { lostReaders.insert(reader).inserted }

    /// Marks a reader as open, for the first time or again.
    ///
    /// - Parameters:
    ///   - reader: the reader's name on the command line.
    ///   - openName: a name that identifies it even after it is unplugged and plugged in again.
    func readerOpened(_ reader: String, as openName: String) {
        lostReaders.remove(reader)
        // The wait for tags begins when a reader first opens. A reader that fails repeatedly does not restart it.
        if openNames.updateValue(openName, forKey: reader) == nil { lastWork = .now }
    }

    /// Returns the name by which a reader is reopened, or nil if it was never open.
    func openName(of reader: String) -> String? { openNames[reader] }

    /// Whether all `count` readers were tried and none was ever opened.
    ///
    /// If so, waiting is useless, because the readers' names are probably wrong.
    func noneOpened(of count: Int) -> Bool { openNames.isEmpty && lostReaders.count >= count }

    /// Makes all readers stop after their current tags, because an error occurred that concerns all of them.
    func stop() { isStopped = true }

    /// Whether readers should stop looking for tags, even if rows are left.
    var isOver: Bool {
        if isStopped { return true }
        // The wait for tags begins when a reader is open. On a busy machine, opening a reader may take longer than
        // the wait.
        guard let patience, working == 0, !openNames.isEmpty else { return false }
        return .now - lastWork >= (hasLooked ? patience : patience + Self.firstPoll)
    }
}
