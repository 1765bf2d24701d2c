// Control commands for a simulator of PC/SC readers

import Synchronization
import VirtualPN532

/// Executes one command per line, and answers each line with one line: `ok …` or `error …`.
///
/// `readers` returns `ok NAME; NAME…`. `kill` and `restart` apply to pcscd. The other commands may start with the
/// number of a reader; the default is 1: `place TAGS`, `remove [UID]` (without a UID, all tags), `list` (returns `ok
/// UID…`), `fault [NAME[=VALUE]]` (without a name, removes all faults), `unplug` and `plug`.
final class PCSCControlCommands: Sendable {
    private let readers: [VirtualPCSCReader]
    private let daemon: PrivatePCSCDaemon
    private let state: Mutex<State>

    private struct State {
        /// The serial number of the first tag that is placed next, higher than those of the initial tags.
        var serial = 0x8001
        /// The faults of each reader, in the syntax of ``VirtualPCSCSpec``.
        var faults: [[String]]
    }

    static let names = [
        "readers", "place", "remove", "list", "fault", "unplug", "plug", "kill", "restart",
    ]

    init(readers: [VirtualPCSCReader], daemon: PrivatePCSCDaemon) {
        (self.readers, self.daemon) = (readers, daemon)
        state = Mutex(State(faults: Array(repeating: [], count: readers.count)))
    }

    /// Executes one line, and returns the answer without a line end.
    func execute(_ line: String) -> String {
        var words = line.split(separator: " ", maxSplits: 2).map(String.init)
        var index = 0
        if let number = words.first.flatMap({ Int($0) }) {
            guard readers.indices.contains(number - 1) else { return "error There is no reader \(number)." }
            index = number - 1
            words.removeFirst()
        } else {
            words = line.split(separator: " ", maxSplits: 1).map(String.init)
        }
        do {
            return try execute(words.first ?? "", words.count > 1 ? words[1] : nil, index)
                ?? "error \"\(line)\" is not a command. Commands: \(Self.names.joined(separator: ", "))."
        } catch {
            return "error \(error)"
        }
    }

    /// Executes a command, and returns the answer; nil for an unknown command.
    private func execute(_ command: String, _ argument: String?, _ index: Int) throws -> String? {
        let reader = readers[index]
        switch (command, argument) {
        case ("readers", nil): return "ok " + readers.map(\.friendlyName).joined(separator: "; ")
        case ("place", let tags?): try place(tags, on: reader)
        case ("remove", nil): reader.remove()
        case ("remove", let uid?):
            let identifier = reader.field.identifiers.first { Self.hex($0) == uid.uppercased() }
            guard let identifier, reader.field.remove(identifier: identifier) else {
                return "error There is no tag \(uid)."
            }
        case ("list", nil): return (["ok"] + reader.field.identifiers.map(Self.hex)).joined(separator: " ")
        case ("fault", let fault): try set(fault, at: index)
        case ("unplug", nil): reader.unplug()
        case ("plug", nil): try reader.plug()
        case ("kill", nil): daemon.kill()
        case ("restart", nil): try daemon.restart()
        default: return nil
        }
        return "ok"
    }

    /// The largest value of the option `serial`.
    private static let largestSerial = 65_535

    /// Places tags: those in files with their own UIDs, and the others with serial numbers that are free.
    private func place(_ tags: String, on reader: VirtualPCSCReader) throws {
        let parts = tags.split(separator: "?", maxSplits: 1, omittingEmptySubsequences: false)
        let options = parts.count == 2 ? parts[1].split { $0 == "&" || $0 == "," } : []
        let words = parts[0].split(separator: ",")
        let files = words.filter { TagFile.isName(String($0)) }
        let isCounted = (words.isEmpty || files.count < words.count) && !tags.contains("serial=")
        guard isCounted else { return try VirtualPCSCSpec(parsing: tags).place(on: reader) }
        // A serial number would also decide the UIDs of new files, which must differ from those of all other files.
        let (kind, others) = (options.filter { $0.hasPrefix("kind=") }, words.filter { !files.contains($0) })
        let filed = files.isEmpty ? nil : try VirtualPCSCSpec(parsing: Self.text(files, kind))
        let otherOptions = files.isEmpty ? options : options.filter { !kind.contains($0) }
        let present = Set(readers.flatMap(\.field.identifiers) + (filed?.tags ?? []).map { $0.identifier })
        // Each tag that is present can be in the way only once, unless there are more tags than serial numbers.
        for _ in 0...present.count {
            let serial = state.withLock(\.serial)
            let spec = try VirtualPCSCSpec(parsing: Self.text(others, otherOptions + ["serial=\(serial)"]))
            state.withLock { $0.serial = (serial - 1 + spec.tags.count) % Self.largestSerial + 1 }
            guard spec.tags.allSatisfy({ !present.contains($0.identifier) }) else { continue }
            try filed?.place(on: reader)
            return try spec.place(on: reader)
        }
        throw VirtualReaderError.badValue(
            option: "place", value: tags, expected: "fewer tags, or remove tags first: all serial numbers are in use")
    }

    private static func text(_ words: [Substring], _ options: [Substring]) -> String {
        words.joined(separator: ",") + (options.isEmpty ? "" : "?" + options.joined(separator: "&"))
    }

    private func set(_ fault: String?, at index: Int) throws {
        let options = state.withLock { $0.faults[index] }
        let changed = fault.map { options + [$0] } ?? []
        readers[index].faults =
            changed.isEmpty ? PCSCFaults() : try VirtualPCSCSpec(parsing: "?" + changed.joined(separator: "&")).faults
        state.withLock { $0.faults[index] = changed }
    }

    private static func hex(_ bytes: [UInt8]) -> String {
        bytes.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}
