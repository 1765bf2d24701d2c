// A scan that outlives its reader: unplugged, mute, suspended — Docs/CommandLine.md, scan

import ReaderSession
import SafeTag
import TagTypes
import Terminal

/// Carries out a scan; a reader that was open once and is lost is waited for, and opened again by its port.
struct ScanRun {
    private var scan: Scan
    private let credential: Type2Credential?

    init(_ scan: Scan) throws {
        guard scan.options.type != .type5 else { throw TypeOutOfReach() }
        self.scan = scan
        credential = try scan.options.password.credential()
    }

    /// Scans until it is over.
    ///
    /// - Throws: why it ended; ``Interrupted`` when the user ended it.
    func run() async throws {
        scan.options.startTrace()
        // Besides each session's own: between two sessions there is none.
        try await Interruption.cancelling {
            var run = self
            try await run.keepScanning()
            try run.scan.checkPassword()
        }
    }

    private mutating func keepScanning() async throws {
        while let loss = try await scanWithReader() {
            try scan.readerFailed(loss)
            if try scan.isOver() { return }
            try await ReaderLoss.pause()
        }
    }

    /// One session; nil when the scan is over.
    private mutating func scanWithReader() async throws -> ReaderLoss? {
        let options = scan.options
        let setup = TagSession.Setup(
            reader: scan.reader ?? options.reader, type: options.type?.tagType, opening: credential,
            for: .reading, dialogue: TerminalDialogue(options.output),
            gate: PasswordGate(.given(options.output.yes)))
        let before = scan
        let (after, loss) = try await TagSession.runUntilSignal(setup) { session in
            var scan = before
            do {
                try await scan.run(in: session)
                return (scan, ReaderLoss?.none)
            } catch {
                guard let loss = ReaderLoss(error) else { throw error }
                return (scan, loss)
            }
        }
        scan = after
        return loss
    }
}
