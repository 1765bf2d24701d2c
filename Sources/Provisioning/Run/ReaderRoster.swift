// Which readers are at work, who is lost, and since when nothing happened

import Foundation

/// What the readers of a run share besides its rows: when to end, and by which names readers are opened again.
actor ReaderRoster {
    private let patience: Duration?
    private var isStopped = false
    /// How many readers are at work on a tag.
    private var working = 0
    private var lostReaders: Set<String> = []
    /// What names the readers that were open, also when they were unplugged; by their names on the command line.
    private var lastingNames: [String: String] = [:]
    /// What they are called while they are open.
    private var openNames: [String: String] = [:]
    private var lastWork = ContinuousClock.now

    /// - Parameter patience: how long to wait for a tag; nil forever.
    init(patience: Duration?) { self.patience = patience }

    /// A tag came that was not there before: the wait for the next one begins when it is done.
    func workBegins() { working += 1 }

    /// A tag is done, or has left.
    func workEnds() {
        working -= 1
        lastWork = .now
    }

    /// Tags cannot be worked on now: the wait for the next one begins when they can.
    func workIsSuspended() { lastWork = .now }

    /// Sets a reader aside; false when it was so already.
    func readerLost(_ reader: String) -> Bool { lostReaders.insert(reader).inserted }

    /// Takes a reader back, or for the first time.
    ///
    /// - Parameters:
    ///   - reader: as the user names it.
    ///   - openName: what it is called while it is open.
    ///   - lastingName: what names it also when it was unplugged and plugged in.
    func readerOpened(_ reader: String, as openName: String, lastingName: String?) {
        lostReaders.remove(reader)
        lastingNames[reader] = lastingName
        // The wait for tags begins when somebody looks; a reader that fails again and again does not begin it anew.
        if openNames.updateValue(openName, forKey: reader) == nil { lastWork = .now }
    }

    /// What to open a reader by once it was open; nil for one that never was.
    func lastingName(of reader: String) -> String? { lastingNames[reader] }

    /// What a reader is called while it is open; nil for one that never was.
    func openName(of reader: String) -> String? { openNames[reader] }

    /// Whether none of so many readers was ever opened, and each was tried: nobody is there to plug in what was named
    /// wrongly.
    func noneOpened(of count: Int) -> Bool { openNames.isEmpty && lostReaders.count >= count }

    /// Has all readers end with the tags they have in hand, since one of them met what concerns all.
    func stop() { isStopped = true }

    /// Whether no reader is to look for tags any more, whatever is left to do.
    var isOver: Bool {
        if isStopped { return true }
        // The wait for tags begins when a reader is open: a busy machine may take longer to open one than the wait.
        guard let patience, working == 0, !openNames.isEmpty else { return false }
        return .now - lastWork >= patience
    }
}
