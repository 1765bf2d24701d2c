// The readers of a run: which are working or lost, and when the last work ended

import Foundation

/// The state that the readers of a run share besides rows: when to end, and the names by which readers are reopened.
actor ReaderRoster {
    private let patience: Duration?
    private var isStopped = false
    /// The number of readers that are working on a tag.
    private var working = 0
    private var lostReaders: Set<String> = []
    /// Names that still identify a reader after it was unplugged, by its name on the command line.
    private var openNames: [String: String] = [:]
    private var lastWork = ContinuousClock.now
    /// The UIDs of the tags on each reader, by the reader's name while it is open.
    private var present: [String: Set<[UInt8]>] = [:]

    /// - Parameter patience: how long to wait for a tag, or nil to wait forever.
    init(patience: Duration?) { self.patience = patience }

    /// Notes the arrival of a new tag.
    ///
    /// The wait for the next tag begins when this one is done.
    func workBegins() { working += 1 }

    /// Notes that a tag is done or has left.
    func workEnds() {
        working -= 1
        lastWork = .now
    }

    /// Notes which tags are on a reader now.
    func note(_ uids: Set<[UInt8]>, on reader: String) { present[reader] = uids }

    /// Another reader that a tag with this UID is on now, or nil if there is none.
    func reader(with uid: [UInt8], besides reader: String) -> String? {
        present.filter { $0.key != reader && $0.value.contains(uid) }.keys.min()
    }

    /// Notes that no tag could be worked on until now.
    ///
    /// The wait for the next tag begins again.
    func workIsSuspended() { lastWork = .now }

    /// Marks a reader as lost; returns false if it already was.
    func readerLost(_ reader: String) -> Bool { lostReaders.insert(reader).inserted }

    /// Marks a reader as open, for the first time or again.
    ///
    /// - Parameters:
    ///   - reader: the reader's name on the command line.
    ///   - openName: a name that still identifies it after it is unplugged and plugged in again.
    func readerOpened(_ reader: String, as openName: String) {
        lostReaders.remove(reader)
        // The wait for tags begins when a reader first opens. A reader that fails repeatedly does not restart it.
        if openNames.updateValue(openName, forKey: reader) == nil { lastWork = .now }
    }

    /// The name by which a reader is reopened, or nil if it was never open.
    func openName(of reader: String) -> String? { openNames[reader] }

    /// Whether each of `count` readers was tried and none was ever opened.
    ///
    /// If so, waiting is useless, because the names are probably wrong.
    func noneOpened(of count: Int) -> Bool { openNames.isEmpty && lostReaders.count >= count }

    /// Makes all readers end after their current tags, because one of them met an error that concerns all.
    func stop() { isStopped = true }

    /// Whether readers should stop looking for tags, even if rows are left.
    var isOver: Bool {
        if isStopped { return true }
        // The wait for tags begins when a reader is open: on a busy machine, opening one may take longer than the wait.
        guard let patience, working == 0, !openNames.isEmpty else { return false }
        return .now - lastWork >= patience
    }
}
