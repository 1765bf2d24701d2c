// Readers that are connected and disconnected, on USB and in pcscd's list — Docs/CommandLine.md, readers

import Dispatch
import ReaderInterface
import ReaderSession
import USBReaders

extension PluggedReader {
    /// Returns all readers that are connected now.
    ///
    /// Queries pcscd, but only if pcscd is running or a connected reader needs it. Searches serial ports if libnfc's
    /// configuration allows this.
    public static func connected() async -> [PluggedReader] {
        await withCheckedContinuation { continuation in queue.async { continuation.resume(returning: now()) } }
    }

    /// A pcscd that does not respond blocks this queue for some seconds, but no thread that tasks need.
    private static let queue = DispatchQueue(label: "Doctor.pluggedReaders")

    private static func now() -> [PluggedReader] {
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

    /// Whether pcscd lists the reader, but the reader is not on a USB port.
    fileprivate var isOnlyListed: Bool { isSmartCardReader && port == nil }
}

/// Watches the USB ports and the readers of pcscd.
///
/// The watch does not start pcscd. While the watch is active, a running pcscd does not exit by itself, because it has a
/// client.
public final class PluggedReaderWatch: Sendable {
    /// A reader was connected or disconnected.
    public struct Event: Sendable {
        /// True if the reader was connected, false if it was disconnected.
        public let isArrival: Bool
        /// The reader as it is now, or as it was before it was disconnected.
        public let reader: PluggedReader
    }

    /// The readers that were connected when the watch began.
    public let initial: [PluggedReader]
    /// The events since the watch began, for one consumer.
    ///
    /// The stream finishes when the watch is stopped.
    public let events: AsyncStream<Event>
    private let continuation: AsyncStream<Event>.Continuation
    private let ports = ReaderWatch(root: .current)
    private let tasks: [Task<Void, Never>]

    /// The interval at which the watch checks whether pcscd is running.
    private static let look = Duration.seconds(1)

    /// Starts watching.
    public init() async {
        // The USB ports are already being watched, so no event is missed while the readers are listed.
        let initial = await PluggedReader.connected()
        let (events, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(256))
        tasks = [
            Task { [ports] in
                for await event in ports.events { continuation.yield(await Self.event(event)) }
            },
            Task { await Self.follow(initial.filter(\.isOnlyListed)) { continuation.yield($0) } },
        ]
        (self.initial, self.events, self.continuation) = (initial, events, continuation)
    }

    /// Stops watching.
    public func stop() {
        for task in tasks { task.cancel() }
        ports.stop()
        continuation.finish()
    }

    private static func event(_ event: ReaderEvent) async -> Event {
        let now = await PluggedReader.connected().first { $0.port == "\(event.reader.port)" }
        let reader = PluggedReader(event.reader, now: now, .current)
        return if case .arrived = event { Event(isArrival: true, reader: reader) } else {
            Event(isArrival: false, reader: reader)
        }
    }

    /// Reports readers that only pcscd lists, until the task is cancelled.
    private static func follow(_ initial: [PluggedReader], tell: (Event) -> Void) async {
        var known = initial
        var names: [String]?
        let source = SmartCardNames()
        while !Task.isCancelled {
            let before = names
            names = SmartCardReaders.mayAsk() ? await source.names(unlike: names, within: look) : nil
            guard !Task.isCancelled else { return }
            if names == nil || names != before {
                let present = names == nil ? [] : await PluggedReader.connected().filter(\.isOnlyListed)
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
