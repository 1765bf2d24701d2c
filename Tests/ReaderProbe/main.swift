// Performs steps with one reader and reports the result of each, for tests on an emulated USB bus
//
//   ReaderProbe [CONNECTION] STEP…
//   poll                    the UIDs in the field
//   connect                 connect to the first of them
//   handled:HEX[@MS]        a command in the reader's framing, and its time-out
//   raw:HEX[@MS]            a command as it is
//   select                  the same tag again
//   limits                  the longest command and answer
//   success failure idle    a signal with light and sound

import Dispatch
@preconcurrency import Glibc
import LibNFC
import Logging
import ReaderInterface

private func hex(_ bytes: [UInt8]) -> String { bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined() }

private func bytes(_ hex: Substring) -> [UInt8] {
    stride(from: 0, to: hex.count, by: 2).compactMap { UInt8(hex.dropFirst($0).prefix(2), radix: 16) }
}

/// Performs one step after the other.
///
/// An error is reported, and the next step follows.
private final class Probe {
    private let reader: LibNFCReader
    private var targets: [Target] = []
    private var channel: (any TagChannel)?

    init(_ reader: LibNFCReader) { self.reader = reader }

    func tell(_ step: String) {
        do throws(ReaderError) {
            print(step, "→", try result(of: step))
        } catch {
            print(step, "→", error)
        }
    }

    private func result(of step: String) throws(ReaderError) -> String {
        let parts = step.split(separator: ":", maxSplits: 1)
        switch parts[0] {
        case "poll":
            targets = try reader.poll(for: Technology.allCases).targets
            return targets.map { hex($0.identifier) }.joined(separator: " ")
        case "connect":
            guard let target = targets.first else { throw .tagLost }
            channel = try reader.connect(to: target)
            return "ok"
        case "select":
            try connected().reselect()
            return "ok"
        case "limits":
            let channel = try connected()
            return "\(channel.maxCommandLength) \(channel.maxResponseLength)"
        case "handled", "raw":
            let words = parts[1].split(separator: "@")
            let timeout = words.count > 1 ? Int(words[1]) ?? 500 : 500
            return hex(
                try connected().transceive(
                    bytes(words[0]), framing: parts[0] == "raw" ? .raw : .handled, timeout: .milliseconds(timeout)))
        default:
            guard let event = Signal.Event(rawValue: step) else { return "no such step" }
            return "\(reader.signal(Signal(event, lights: true, sounds: true)))"
        }
    }

    private func connected() throws(ReaderError) -> any TagChannel {
        guard let channel else { throw .tagLost }
        return channel
    }
}

setvbuf(stdout, nil, _IOLBF, 0)
// This includes libnfc's own frames. No other thread is running yet.
setenv("LIBNFC_LOG_LEVEL", "3", 1)
LoggingSystem.bootstrap { label in
    var handler = StreamLogHandler.standardError(label: label)
    handler.logLevel = .trace
    return handler
}
var steps = Array(CommandLine.arguments.dropFirst())
let named = steps.first.flatMap { $0.contains("_usb:") ? steps.removeFirst() : nil }
let queue = DispatchQueue(label: "probe")
do throws(ReaderError) {
    guard let connection = named ?? LibNFC.connections().first else { throw .noReader(connection: nil) }
    let reader = try LibNFCReader(connection: connection, queue: queue, logger: Logger(label: "probe"))
    queue.sync {
        let probe = Probe(reader)
        for step in steps { probe.tell(step) }
        reader.close()
    }
    print("closed")
} catch {
    print("open →", error)
    exit(1)
}
