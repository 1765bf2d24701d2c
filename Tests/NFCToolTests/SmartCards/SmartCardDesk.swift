// PC/SC readers under a private pcscd, and an nfctool process that works with them

import Chance
import Foundation
import Synchronization
import Testing
import VirtualPCSC
import VirtualPN532

/// A private pcscd, its readers, and the output of nfctool while they are lost.
final class SmartCardDesk {
    let readers: [VirtualPCSCReader]
    let daemon: PrivatePCSCDaemon
    /// The events that nfctool reported, in order.
    private(set) var told: [SmartCardEvent] = []
    private var serial: UInt16 = 0

    init(_ readers: [VirtualPCSCReader]) throws {
        self.readers = readers
        daemon = try PrivatePCSCDaemon(readers: readers)
    }

    convenience init(_ models: PCSCReaderModel...) throws {
        try self.init(models.map { VirtualPCSCReader(model: $0) })
    }

    deinit { daemon.stop() }

    /// Returns a tag with a unique UID: an ISO 15693 tag if the reader supports that, otherwise an NTAG213.
    func newTag(for reader: VirtualPCSCReader) -> any VirtualContactlessCard {
        serial += 1
        return reader.model.technologies.contains(.iso15693)
            ? VirtualISO15693Tag(chip: .icodeSLIX2, serial: serial, isFormatted: true)
            : VirtualTagKind.ntag213.make(serial: Int(serial))
    }

    func swap(on reader: VirtualPCSCReader, for tag: any VirtualContactlessCard) {
        reader.remove()
        reader.place(tag)
    }

    /// Runs nfctool in parallel with the body, and takes its events until it ends, which may be before the body ends.
    ///
    /// nfctool is killed after the limit, so that no wait for a line is endless.
    func run(
        _ arguments: [String], in folder: String, limit: Duration, _ body: (RunningTool) async throws -> Void
    ) async throws -> Outcome {
        let words = arguments.map { "'\($0)'" }.joined(separator: " ")
        let line = "exec env PCSCLITE_CSOCK_NAME='\(daemon.socketPath)' nfctool \(words)"
        return try await Tool.startShell(line, in: folder) { tool in
            let process = tool.process
            let clock = Task {
                try await Task.sleep(for: limit)
                kill(process, SIGKILL)
            }
            defer { clock.cancel() }
            do {
                try await body(tool)
                // Takes the remaining events until nfctool ends.
                while true { try await hear(tool) }
            } catch is UnexpectedEnd {
                // The outcome shows why nfctool ended.
            }
        }
    }

    @discardableResult func hear(_ tool: RunningTool) async throws -> SmartCardEvent {
        let event = try SmartCardEvent(try await tool.line { $0.hasPrefix("{") })
        told.append(event)
        return event
    }

    /// Takes events until one of them is wanted.
    func hear(_ tool: RunningTool, until isWanted: (SmartCardEvent) -> Bool) async throws {
        while !isWanted(try await hear(tool)) {}
    }
}

/// A loss that a test prepares, and that any thread performs.
final class PlannedLoss: Sendable {
    private let isBegun = Atomic(false)
    private let (done, continuation) = AsyncStream.makeStream(of: Void.self)
    private let lose: @Sendable () -> Void

    init(_ lose: @escaping @Sendable () -> Void) { self.lose = lose }

    /// Performs the loss.
    ///
    /// Only the first call has an effect.
    func begin() {
        isBegun.store(true, ordering: .sequentiallyConsistent)
        lose()
        continuation.finish()
    }

    /// Takes events until one reports a lost reader.
    ///
    /// A report that is left from an earlier loss does not count.
    func heard(on desk: SmartCardDesk, _ tool: RunningTool, note: (SmartCardEvent) -> Void = { _ in }) async throws {
        try await desk.hear(tool) { event in
            note(event)
            return event.event == "readerLost" && isBegun.load(ordering: .sequentiallyConsistent)
        }
        // The loss may be undone only after it was performed.
        for await _ in done {}
    }
}

struct SmartCardEvent: Decodable, Sendable {
    let event: String
    let uid: String?
    let row: Int?
    let reader: String?
    let message: String?

    init(_ line: String) throws { self = try JSONDecoder().decode(Self.self, from: Data(line.utf8)) }
}

extension VirtualTag {
    /// Upper-case hexadecimal, as in nfctool's output.
    var uidText: String { identifier.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined() }
}

/// The longest wait of many.
struct LongestWait {
    private var waits: [Duration] = []

    mutating func add(since start: ContinuousClock.Instant) { waits.append(.now - start) }

    /// The waits as text, for example `12 waits, median 0.1 s, longest 0.3 s`.
    var text: String {
        func seconds(_ wait: Duration?) -> String { String(format: "%.2f s", (wait ?? .zero) / .seconds(1)) }
        let sorted = waits.sorted()
        return "\(waits.count) waits, median \(seconds(sorted.isEmpty ? nil : sorted[sorted.count / 2])), longest "
            + seconds(sorted.last)
    }

    var longest: Duration { waits.max() ?? .zero }
}
