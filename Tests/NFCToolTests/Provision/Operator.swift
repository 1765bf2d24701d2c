// The operator, who places tags, and removes them when the tool has reported their result, or when it reports nothing

import Chance
import Foundation
import VirtualPN532

/// A box of tags, a reader, and a person who moves the tags.
///
/// Faults affect the tags on the reader.
actor Operator {
    /// A kill, and the tag that was on the reader.
    struct Kill: Sendable {
        let number: Int
        let tag: (uid: String, memory: [UInt8])?
    }

    nonisolated let connection: String
    private(set) var kills = 0
    /// The time that the tool took for the last row that it reported, but at least 50 ms.
    private(set) var deliveryTime = Duration.milliseconds(50)
    private let reader: VirtualReader
    private let rows: Int
    private let plannedKills: Int
    private var chance: SplitMix

    private var queue: [VirtualType2Tag] = []
    private var done: [VirtualType2Tag] = []
    private var bin: [VirtualType2Tag] = []
    private var current: VirtualType2Tag?
    private var fault: (name: String, command: Int)?
    private var hangs = false
    private var nextSerial = 1
    private var patience: Task<Void, Never>?
    private var isWorking = false

    private var finished: Set<String> = []
    private var told: [String] = []
    private var faults: [String: Int] = [:]
    private var words: [String: Int] = [:]
    private var timeouts = 0

    /// The number of commands after which the reader stops answering.
    ///
    /// A blank tag takes 19 to 33 commands, depending on the length of its message. The last few verify the message.
    private static let lateCommands = 18...32
    /// How long a tag stays on the reader without output from the tool.
    private static let patience = Duration.milliseconds(1500)

    init(rows: Int, kills: Int, seed: UInt64) throws {
        reader = try VirtualReader()
        connection = reader.connection
        (self.rows, plannedKills, chance) = (rows, kills, SplitMix(state: seed))
        for _ in 0..<rows {
            if let tag = VirtualTagKind.ntag213.make(serial: nextSerial) as? VirtualType2Tag { queue.append(tag) }
            nextSerial += 1
        }
    }

    deinit { reader.stop() }

    /// Prepares for the start of the tool.
    ///
    /// In most cases, a tag is already on the reader. If the reader `hangs`, it stops answering at a random command of each
    /// tag, in the second half of its delivery, in which the message is completed and verified.
    func begin(hangs: Bool) {
        isWorking = true
        self.hangs = hangs
        hangReader()
        if current == nil { layNext() } else { wait() }
    }

    /// Stops acting, because the tool has ended or is about to end.
    func end() {
        isWorking = false
        patience?.cancel()
    }

    /// Whether the reader has stopped answering.
    var isReaderHung: Bool { reader.faults.hang.map { $0 <= reader.statistics.tagCommands } ?? false }

    func hear(_ line: ToldEvent) {
        words[line.event, default: 0] += 1
        if line.event == "row", let uid = line.uid, let row = line.row {
            finished.insert(uid)
            told.append("\(row) \(uid)")
            if let seconds = line.seconds { deliveryTime = max(.milliseconds(50), .seconds(seconds)) }
        }
        guard isWorking, let tag = current, line.uid == tag.uid else { return }
        switch line.event {
        case "row":
            takeOff()
            // Some operators place a tag twice.
            if isLikely(1, of: 12) { queue.append(tag) } else { done.append(tag) }
            layNext()
        case "known":
            takeOff()
            done.append(tag)
            layNext()
        case "cut":
            takeOff()
            if isLikely(1, of: 2) { lay(tag) } else { putBack(tag) }
        case "refused", "failed":
            takeOff()
            if line.event == "failed" || line.quarantined == true { throwAway(tag) } else { queue.append(tag) }
            layNext()
        default: wait()
        }
    }

    /// Records that the tool was killed.
    ///
    /// The tag stays, or comes back later.
    func noteKill() -> Kill {
        kills += 1
        defer {
            if let tag = current, isLikely(1, of: 2) {
                takeOff()
                queue.append(tag)
            }
        }
        return Kill(number: kills, tag: current.map { ($0.uid, $0.contents) })
    }

    /// Writes each tag's memory to a file, and a list of what the tool reported as verified.
    func keepTags(in folder: String) throws {
        try FileManager.default.createDirectory(atPath: folder + "/tags", withIntermediateDirectories: true)
        for tag in queue + done + bin + [current].compactMap({ $0 }) {
            try Data(tag.contents).write(to: URL(filePath: "\(folder)/tags/\(tag.uid).bin"))
        }
        try Data(told.joined(separator: "\n").utf8).write(to: URL(filePath: folder + "/told"))
    }

    /// The events of the run, in one line.
    var summary: String {
        func list(_ counts: [String: Int]) -> String {
            counts.sorted { $0.key < $1.key }.map { "\($0.key) \($0.value)" }.joined(separator: ", ")
        }
        return """
            kills \(kills); tags \(nextSerial - 1), thrown away \(bin.count); faults \(list(faults)); \
            patience lost \(timeouts); heard \(list(words))
            """
    }

    // MARK: Actions

    private func layNext() {
        guard isWorking else { return }
        // The last rows are kept for the last kills.
        if kills < plannedKills, finished.count >= rows - 10, !done.isEmpty {
            lay(done.removeFirst())
        } else if !queue.isEmpty {
            lay(queue.removeFirst())
        } else if !done.isEmpty {
            lay(done.removeFirst())
        }
    }

    private func lay(_ tag: VirtualType2Tag) {
        current = tag
        reader.faults = nextFaults()
        hangReader()
        reader.field.place(tag)
        wait()
    }

    private func hangReader() {
        let commands = Int.random(in: Self.lateCommands, using: &chance)
        reader.faults.hang = hangs ? reader.statistics.tagCommands + commands : nil
    }

    private func takeOff() {
        patience?.cancel()
        guard let tag = current else { return }
        if let fault, reader.statistics.tagCommands >= fault.command { faults[fault.name, default: 0] += 1 }
        reader.field.remove(identifier: tag.identifier)
        (current, fault) = (nil, nil)
    }

    /// Puts a tag back, at the bottom of the box.
    private func putBack(_ tag: VirtualType2Tag) {
        queue.append(tag)
        layNext()
    }

    private func throwAway(_ tag: VirtualType2Tag) {
        bin.append(tag)
        if let tag = VirtualTagKind.ntag213.make(serial: nextSerial) as? VirtualType2Tag { queue.append(tag) }
        nextSerial += 1
    }

    private func wait() {
        patience?.cancel()
        guard isWorking, let tag = current else { return }
        patience = Task {
            guard (try? await Task.sleep(for: Self.patience)) != nil else { return }
            losePatience(with: tag)
        }
    }

    private func losePatience(with tag: VirtualType2Tag) {
        guard isWorking, tag === current, !Task.isCancelled else { return }
        timeouts += 1
        takeOff()
        putBack(tag)
    }

    // MARK: Randomness

    private func isLikely(_ count: Int, of total: Int) -> Bool { Int.random(in: 0..<total, using: &chance) < count }

    /// Returns faults for the next tag.
    ///
    /// Every other tag has a fault at one of its commands.
    private func nextFaults() -> Faults {
        var faults = Faults()
        guard isLikely(1, of: 2) else { return faults }
        let command = reader.statistics.tagCommands + Int.random(in: 1...40, using: &chance)
        switch Int.random(in: 0..<3, using: &chance) {
        case 0: (faults.tear, fault) = (command, ("tears", command))
        case 1: (faults.nak, fault) = (command, ("NAKs", command))
        default: (faults.loss, fault) = (command, ("losses", command))
        }
        if isLikely(4, of: 5) { faults.back = .milliseconds(Int.random(in: 20...400, using: &chance)) }
        return faults
    }
}

extension VirtualType2Tag {
    /// Upper-case hexadecimal, as in the tool's output.
    fileprivate var uid: String {
        identifier.map { ($0 < 0x10 ? "0" : "") + String($0, radix: 16, uppercase: true) }.joined()
    }
}
