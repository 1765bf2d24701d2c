// A reader that supports ISO 15693, in the tests' own process

import Dispatch
public import ReaderInterface
import ReaderSession
import Synchronization

/// A reader, the tags in its field, and the commands that it can send.
///
/// Sessions accept ``connection`` as the name of the reader.
public final class VicinityDesk: Sendable {
    /// The reader's name.
    public let connection: String
    let technologies: Set<Technology>
    /// The maximum length of an answer, including the flags, in bytes.
    let longestAnswer: Int
    /// The codes of the commands that the reader cannot send.
    let missingCommands: Set<UInt8>
    /// Whether the reader fails to send a command that it should be able to send.
    let failsToSend: @Sendable ([UInt8]) -> Bool
    /// The error with which each poll fails; nil if polls succeed.
    let pollFailure: ReaderError?
    private let field: Mutex<[VicinityTag]>
    private let pollCount = Atomic(0)

    private static let desks = Mutex<[String: VicinityDesk]>([:])
    private static let count = Atomic(0)
    private static let backEnd: Void = BackEnds.add(VicinityBackEnd(), forNamesIn: "vicinity")

    /// Creates a desk with one reader.
    ///
    /// - Parameters:
    ///   - tags: the tags in its field.
    ///   - hasRadio: whether it has the radio for ISO 15693.
    ///   - longestAnswer: the maximum length of an answer, including the flags, in bytes.
    ///   - missingCommands: the codes of the commands that it cannot send.
    ///   - failsToSend: whether it fails to send a command that it should be able to send.
    ///   - pollFailure: the error with which each poll fails; nil if polls succeed.
    public init(
        _ tags: [VicinityTag] = [], hasRadio: Bool = true, longestAnswer: Int = 257, missingCommands: Set<UInt8> = [],
        failsToSend: @escaping @Sendable ([UInt8]) -> Bool = { _ in false }, pollFailure: ReaderError? = nil
    ) {
        _ = Self.backEnd
        technologies = hasRadio ? [.nfcV] : [.nfcA]
        (self.longestAnswer, self.missingCommands, self.failsToSend) = (longestAnswer, missingCommands, failsToSend)
        self.pollFailure = pollFailure
        field = Mutex(tags)
        // Two readers must not have the same name at the same time, because the session of one would wait for the end
        // of the other's.
        connection = "vicinity:\(Self.count.add(1, ordering: .relaxed).newValue)"
        Self.desks.withLock { $0[connection] = self }
    }

    /// The tags in the field.
    public var tags: [VicinityTag] {
        get { field.withLock { $0 } }
        set { field.withLock { $0 = newValue } }
    }

    /// The number of times that the reader has polled for tags.
    public var polls: Int { pollCount.load(ordering: .relaxed) }
    func countPoll() { pollCount.add(1, ordering: .relaxed) }

    static func desk(_ connection: String?) -> VicinityDesk? {
        connection.flatMap { name in desks.withLock { $0[name] } }
    }

    func tag(_ target: Target) -> VicinityTag? { tags.first { $0.uid == target.identifier } }
}

private struct VicinityBackEnd: BackEnd {
    func open(
        _ connection: String?, on queue: DispatchQueue, letAbort: (any Reader) -> Void
    ) throws(ReaderError) -> any Reader {
        guard let desk = VicinityDesk.desk(connection) else { throw .noReader(connection: connection) }
        let reader = VicinityReader(desk)
        letAbort(reader)
        return reader
    }

    func connections() throws(ReaderError) -> [String] { [] }
}

private final class VicinityReader: Reader {
    let desk: VicinityDesk
    private let isAborted = Atomic(false)

    init(_ desk: VicinityDesk) { self.desk = desk }

    var connection: String { desk.connection }
    var technologies: Set<Technology> { desk.technologies }

    func poll(for technologies: [Technology], settled: Set<[UInt8]>?) throws(ReaderError) -> FoundTargets {
        guard !isAborted.load(ordering: .relaxed) else { throw .aborted }
        desk.countPoll()
        if let failure = desk.pollFailure { throw failure }
        guard desk.technologies.contains(.nfcV), technologies.contains(.nfcV) else { return [] }
        return FoundTargets(desk.tags.filter(\.isHeard).map { .nfcV(NFCVTarget(uid: $0.uid)) })
    }

    func connect(to target: Target) throws(ReaderError) -> any TagChannel {
        guard desk.tag(target) != nil else { throw .tagLost }
        return VicinityChannel(target, desk)
    }

    func powerUp(_ target: Target) throws(ReaderError) -> any TagChannel {
        desk.tags.forEach { $0.reset() }
        return try connect(to: target)
    }

    func presence(of channel: any TagChannel) throws(ReaderError) -> Presence {
        desk.tag(channel.target) == nil ? .absent : .continuous
    }

    func abort() { isAborted.store(true, ordering: .relaxed) }
    func close() {}
}

/// Frames to the tags in the field, each of which receives them.
private final class VicinityChannel: TagChannel {
    let target: Target
    let desk: VicinityDesk
    let maxCommandLength = 256
    var maxResponseLength: Int { desk.longestAnswer }

    init(_ target: Target, _ desk: VicinityDesk) { (self.target, self.desk) = (target, desk) }

    func carries(_ command: [UInt8], framing: Framing) -> Bool {
        command.count >= 2 && !desk.missingCommands.contains(command[1])
    }

    func transceive(_ command: [UInt8], framing: Framing, timeout: Duration) throws(ReaderError) -> [UInt8] {
        guard command.count <= maxCommandLength else {
            throw .commandTooLong(length: command.count, limit: maxCommandLength)
        }
        guard carries(command, framing: framing), !desk.failsToSend(command) else {
            throw .cannotSend(command: command.count > 1 ? command[1] : 0, reader: desk.connection)
        }
        let answers = desk.tags.compactMap { $0.answer(to: command) }
        // Two simultaneous answers cancel each other, and an answer that is too long for the reader is lost.
        guard answers.count == 1, answers[0].count <= maxResponseLength else { throw .noAnswer }
        return answers[0]
    }

    func reselect() throws(ReaderError) {
        guard desk.tag(target) != nil else { throw .tagLost }
    }
}
