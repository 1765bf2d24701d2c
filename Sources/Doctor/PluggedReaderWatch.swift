// Readers that come and go, on USB and in pcscd's list — Docs/CommandLine.md, readers

import ReaderInterface
import ReaderSession
import USBReaders

extension PluggedReader {
    /// All readers that are here at this moment.
    ///
    /// pcscd is asked where it runs, or drives a reader that only it can; those on serial ports are looked for where
    /// libnfc's configuration allows it.
    public static func now() -> [PluggedReader] {
        let diagnosis = Diagnosis(.now(), listed: SmartCardReaders.found())
        let labels = ReaderLabels.current
        let readers = all(in: diagnosis, labels: labels)
        let isIntrusive = diagnosis.system.configuration.allowsIntrusiveScan
        let found = (isIntrusive ? (try? BackEnds.connections()) ?? [] : []).filter { connection in
            !readers.contains { $0.connection == connection }
        }
        let boards = found.map { PluggedReader(Subject(named: $0, in: diagnosis.survey), in: diagnosis, labels) }
        return readers + boards
    }

    /// Whether it is known from pcscd's list alone.
    fileprivate var isOnlyListed: Bool { isSmartCardReader && port == nil }
}

/// A watch over the USB ports and over pcscd's readers.
///
/// It does not start a pcscd that does not run. One that runs does not end by itself, since it has a client.
public final class PluggedReaderWatch: Sendable {
    /// What happened to a reader.
    public struct Event: Sendable {
        /// It came; false: it went.
        public let isArrival: Bool
        /// As it is now, or was known.
        public let reader: PluggedReader
    }

    /// The readers that were there when the watch began.
    public let initial: [PluggedReader]
    /// What happens from then on; for one to listen to.
    ///
    /// It ends when the watch is stopped.
    public let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let ports = ReaderWatch(root: .current)
    private let tasks: [Task<Void, Never>]

    /// The time between two looks whether there is a pcscd to ask.
    private static let look = Duration.seconds(1)

    /// Begins to watch.
    public init() {
        // The ports are watched already, so nothing that comes in between is missed.
        let initial = PluggedReader.now()
        let (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(256))
        tasks = [
            Task { [ports] in
                for await event in ports.events { continuation.yield(Self.event(event)) }
            },
            Task { await Self.follow(initial.filter(\.isOnlyListed)) { continuation.yield($0) } },
        ]
        (self.initial, self.events, self.continuation) = (initial, events, continuation)
    }

    /// Ends the watch.
    public func stop() {
        for task in tasks { task.cancel() }
        ports.stop()
        continuation.finish()
    }

    private static func event(_ event: ReaderEvent) -> Event {
        let now = PluggedReader.now().first { $0.port == "\(event.reader.port)" }
        let reader = PluggedReader(event.reader, now: now, .current)
        return if case .arrived = event { Event(isArrival: true, reader: reader) } else {
            Event(isArrival: false, reader: reader)
        }
    }

    /// Tells of readers that pcscd has and that are on no USB bus of this machine, until the task is cancelled.
    private static func follow(_ initial: [PluggedReader], tell: (Event) -> Void) async {
        var known = initial
        var names: [String]?
        var source: SmartCardNames?
        while !Task.isCancelled {
            let before = names
            if SmartCardReaders.mayAsk() {
                source = source ?? (try? SmartCardNames())
                names = await source?.names(unlike: names, within: look)
                // A process that pcscd keeps waiting was ended.
                if names == nil { source = nil }
            } else {
                (names, source) = (nil, nil)
            }
            guard !Task.isCancelled else { return }
            if names == nil || names != before {
                let present = names == nil ? [] : PluggedReader.now().filter(\.isOnlyListed)
                for reader in known where !present.contains(where: { $0.reader == reader.reader }) {
                    tell(Event(isArrival: false, reader: reader))
                }
                for reader in present where !known.contains(where: { $0.reader == reader.reader }) {
                    tell(Event(isArrival: true, reader: reader))
                }
                known = present
            }
            if names == nil { try? await Task.sleep(for: look) }
        }
    }
}
