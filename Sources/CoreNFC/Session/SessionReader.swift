// The reader of one session: opened, polled and closed — on the reader's queue, which alone may call the reader

import Foundation
import LibNFC
import Logging
import NFCReader
import ReaderProcess
import Synchronization
import TagTypes

/// The reader of one session that has begun.
///
/// All but ``abort()`` happens on ``queue``, which this process shares between the sessions that use the same reader one
/// after the other: so a session that begins while another ends finds the reader closed.
final class SessionReader: @unchecked Sendable {  // mutable state is touched on `queue` only, but for `abortable`
    let queue: DispatchQueue
    private let specification: ReaderSpecification
    private var reader: (any Reader)?
    /// The tag whose operations may run now.
    private(set) var connected: SessionTag? {
        didSet {
            if oldValue !== connected { oldValue?.connectionChanged(isConnected: false) }
            connected?.connectionChanged(isConnected: true)
        }
    }
    /// The connection string of the open reader, readable from any thread.
    private let openConnection = Mutex<String?>(nil)
    private let openName = Mutex<String?>(nil)
    private let openChip = Mutex<String?>(nil)
    /// Counts the polls begun by the client: tags of an earlier one are dead.
    ///
    /// Readable from any thread.
    var round: Int { currentRound.load(ordering: .relaxed) }
    private let currentRound = Atomic(0)
    private let abortable = Mutex<(reader: (any Reader)?, isAborted: Bool)>((nil, false))

    /// Seconds between two polls of an empty field, which leaves the queue to others.
    private static let pollInterval = 0.05
    /// Seconds between two looks whether tags that were read have left.
    private static let removalInterval = 0.1
    /// Seconds that a look for a tag may keep the thread that asks for it, when the reader is busy.
    private static let longestLook = 0.3

    init(_ specification: ReaderSpecification) {
        self.specification = specification
        queue = ReaderQueues.queue(for: specification)
    }

    /// Takes the reader before other sessions of this process, until ``release()``; from any thread.
    /// - Throws: ``ReaderError/busy(connection:holder:)``.
    func take() throws(ReaderError) {
        guard ReaderQueues.give(specification, to: self) else {
            throw .busy(connection: specification.text, holder: "another session of this program")
        }
    }

    /// Opens the reader.
    ///
    /// - Throws: ``ReaderError``, or what a `virtual:` specification is wrong about.
    func open() throws {
        let reader: any Reader
        if let isolated = try ReaderHost.start() {
            // Before it opens: that takes the time of a mute reader, and an end must not wait for it.
            letAbort(isolated)
            let connection = try specification.connection()
            do throws(ReaderError) {
                try isolated.open(connection)
            } catch {
                // libnfc passes over readers that it may not open: the user is to know why.
                guard error == .noReader(connection: nil), let first = ReaderSpecification.firstPluggedIn else {
                    throw error
                }
                try isolated.open(first)
            }
            reader = isolated
        } else {
            reader = try LibNFCReader(
                connection: try specification.connection() ?? LibNFC.firstConnection(), queue: queue,
                logger: Logger(label: "nfctool.reader"))
            letAbort(reader)
        }
        // A reader that was reset may have come back under another number.
        openConnection.withLock { $0 = reader.connection }
        let lastingName = specification.lastingName(of: reader.connection)
        openName.withLock { $0 = lastingName }
        openChip.withLock { $0 = reader.chip }
        self.reader = reader
    }

    private func letAbort(_ reader: any Reader) {
        let isAborted = abortable.withLock { abortable in
            abortable.reader = reader
            return abortable.isAborted
        }
        if isAborted { reader.abort() }
    }

    /// The connection string of the reader, once it was open.
    var connection: String? { openConnection.withLock { $0 } }

    /// What names the reader also when it was unplugged and plugged in; nil before it was open.
    var lastingName: String? { openName.withLock { $0 } }

    /// What people call the reader: its lasting name, a virtual one its connection string; nil before it was open.
    var name: String? { specification.isVirtual ? connection : lastingName }

    /// What its chip said it is, once it was open.
    var chip: String? { openChip.withLock { $0 } }

    /// Lets another session have the reader next, when it is to be closed on the queue; from any thread.
    func release() { ReaderQueues.takeBack(specification, from: self) }

    /// Ends what the reader is doing; from any thread.
    func abort() {
        let reader = abortable.withLock { abortable in
            abortable.isAborted = true
            return abortable.reader
        }
        reader?.abort()
    }

    /// Gives the reader back.
    func close() {
        reader?.close()
        reader = nil
        connected = nil
        abortable.withLock { $0.reader = nil }
    }

    /// Shows a signal, if this reader can.
    func signal(_ signal: Signal) -> Bool { (reader as? any SignallingReader)?.signal(signal) ?? false }

    /// The reader as one that can be a target itself.
    var listener: any ListeningReader {
        get throws(ReaderError) {
            guard let listener = reader as? any ListeningReader else {
                throw .cannotListen(connection: connection ?? "", reason: "its driver does not know how")
            }
            return listener
        }
    }

    /// Begins a new round of polling; tags found before are dead from now on.
    func startPolling(for session: NFCReaderSession) {
        dispatchPrecondition(condition: .onQueue(queue))
        currentRound.add(1, ordering: .relaxed)
        connected = nil
        poll(for: session, round: round)
    }

    private func poll(for session: NFCReaderSession, round: Int) {
        guard session.isRunning, round == self.round, let reader else { return }
        do {
            let found = try reader.poll(for: session.technologies, settled: session.settledTags)
            guard session.isRunning else { return }
            if found.isEmpty {
                pollLater(for: session)
            } else {
                session.hasMoreTargets = found.mayBeMore
                session.didFind(found.targets, by: self)
            }
        } catch {
            session.readerFailed(with: error)
        }
    }

    /// Polls again in a while, in the same round: what was found is not for this session.
    func pollLater(for session: NFCReaderSession) {
        let round = round
        queue.asyncAfter(deadline: .now() + Self.pollInterval) { self.poll(for: session, round: round) }
    }

    /// Activates a target that was just found, to see what kind of tag it is; no tag is connected by it.
    func channel(to target: Target) throws(ReaderError) -> any TagChannel {
        guard let reader else { throw .tagLost }
        connected = nil
        return try reader.connect(to: target)
    }

    /// Waits until none of the tags is in the field any more, then polls again.
    func resumePolling(for session: NFCReaderSession, afterRemovalOf tags: [SessionTag]) {
        guard session.isRunning, tags.allSatisfy({ $0.round == round }) else { return }
        do {
            let remaining = try tags.filter { try isInField($0) }
            guard !remaining.isEmpty else { return startPolling(for: session) }
            queue.asyncAfter(deadline: .now() + Self.removalInterval) {
                self.resumePolling(for: session, afterRemovalOf: remaining)
            }
        } catch {
            session.readerFailed(with: error)
        }
    }

    private func isInField(_ tag: SessionTag) throws -> Bool {
        do {
            try connect(to: tag)
            return true
        } catch ReaderError.tagLost {
            return false
        }
    }

    /// Connects to a tag of this round; for the connected tag it is a check that the tag is still there.
    ///
    /// - Throws: ``ReaderError/tagLost`` when it is gone or of an earlier round.
    func connect(to tag: SessionTag) throws {
        guard let reader, tag.round == round else { throw ReaderError.tagLost }
        if connected === tag, let channel = tag.channel {
            switch try reader.presence(of: channel) {
            case .continuous: break
            case .renewed:
                connected = nil
                try tag.connected(on: channel)
                connected = tag
            case .absent:
                connected = nil
                throw ReaderError.tagLost
            }
        } else {
            connected = nil
            try tag.connected(on: reader.connect(to: tag.target))
            connected = tag
        }
    }

    /// Connects to a tag of this round after its field was off.
    ///
    /// - Throws: ``ReaderError/tagLost`` when it is gone or of an earlier round.
    func powerUp(_ tag: SessionTag) throws {
        guard let reader, tag.round == round else { throw ReaderError.tagLost }
        connected = nil
        try tag.connected(on: reader.powerUp(tag.target))
        connected = tag
    }

    /// Looks whether a tag that is connected is still there, and notes it; from any thread.
    ///
    /// Returns without a result when the reader is busy with something else.
    func look(for tag: SessionTag) {
        let isDone = DispatchSemaphore(value: 0)
        queue.async {
            defer { isDone.signal() }
            guard tag.readerSession.isRunning, self.isConnected(tag) else { return }
            do {
                try self.connect(to: tag)
                tag.note(nil)
            } catch {
                if let failure = ReaderError(failureIn: error) { tag.readerSession.readerFailed(with: failure) }
            }
            tag.readerSession.connectionChanged(to: self.connected)
        }
        _ = isDone.wait(timeout: .now() + Self.longestLook)
    }

    /// Forgets the connected tag, which left.
    func disconnect() { connected = nil }

    /// Whether operations of this tag may run now.
    func isConnected(_ tag: SessionTag) -> Bool { connected === tag }

    /// Whether no tag is connected, so that one may be without taking it from another.
    var isUnconnected: Bool { connected == nil }
}

extension NFCReaderSession {
    /// Ends the session for an error of the reader itself; an abort is the end already.
    func readerFailed(with error: any Error) {
        if case ReaderError.aborted = error { return }
        end(with: NFCReaderError(.readerSessionInvalidationErrorSessionTerminatedUnexpectedly, causedBy: error))
    }
}
