// Signals at random moments during all commands: each command ends in time, and nothing is left behind

import Chance
import Foundation
import Testing

extension BuiltBinaryKills {
    @Suite struct SignalCampaign {
        private static let signals = Campaign.count(100, long: 2000)
        /// Two seconds, plus the delay of a loaded machine.
        private static let limit = Duration.milliseconds(2_500)
        /// The number of commands that run at the same time.
        private static let lanes = Campaign.count(3, long: 8)

        @Test func everyCommandEndsInTimeAndLeavesNothingBehind() async throws {
            try await withThrowingTaskGroup(of: [Int32: Int].self) { group in
                for lane in 0..<Self.lanes {
                    group.addTask { try await Self.interrupt(from: lane) }
                }
                var ends: [Int32: Int] = [:]
                for try await some in group { ends.merge(some, uniquingKeysWith: +) }
                print("ends by exit code: \(ends.sorted { $0.key < $1.key })")
                #expect(ends.values.reduce(0, +) == Self.signals)
                #expect(ends[130, default: 0] > Self.signals / 2)
            }
        }

        /// Interrupts every third command, beginning with one of them.
        private static func interrupt(from lane: Int) async throws -> [Int32: Int] {
            var chance = SplitMix(state: 14 + UInt64(lane))
            var ends: [Int32: Int] = [:]
            try await Tool.withFolder { folder in
                #expect(try await Tool.shell(InterruptedCommand.preparation, in: folder).status == 0)
                for number in stride(from: lane, to: signals, by: lanes) {
                    let command = InterruptedCommand.all[number % InterruptedCommand.all.count]
                    let end = try await interrupt(command, in: folder, &chance)
                    ends[end, default: 0] += 1
                }
            }
            return ends
        }

        private static func interrupt(
            _ command: InterruptedCommand, in folder: String, _ chance: inout SplitMix
        ) async throws -> Int32 {
            let run = try TerminalRun(command.arguments, in: folder)
            for step in command.dialogue.prefix(Int.random(in: 0...command.dialogue.count, using: &chance)) {
                guard try await run.prints(step.question) else { break }
                run.type(step.answer)
            }
            let delay = Duration.milliseconds(Int.random(in: 0...700, using: &chance))
            try await Task.sleep(for: delay)
            let hadEnded = run.hasEnded()
            let hadPrinted = !run.output.isEmpty
            let signal = try #require([SIGINT, SIGTERM, SIGHUP].randomElement(using: &chance))
            let isTyped = signal == SIGINT && Bool.random(using: &chance) && run.showsTyping
            if isTyped { run.type("\u{3}") } else { run.send(signal) }
            let place = "\(command), signal \(signal) after \(delay)"
            let start = ContinuousClock.now
            let isForced = Bool.random(using: &chance)
            if isForced {
                // The second signal is so late that it does not count as the same request.
                _ = try await run.ended(within: .milliseconds(250))
                run.send(SIGTERM)
            }
            let status = try await run.ended(within: limit)
            let end = try #require(status, "\(place): it goes on; it printed \(run.output)")
            if !hadEnded {
                // Before its first line, no program can react to a signal. A program that refused a wrong password, or
                // the state left by an earlier signal, had already ended by itself.
                let refused =
                    [65, 75, 77].contains(end) && run.output.contains(/Nothing was (changed|written)\./)
                    || end == 64 && run.output.contains("Row 1 is already free")
                #expect(
                    [0, 130].contains(end) || !hadPrinted && end == -signal || refused,
                    "\(place): \(end); it printed \(run.output)")
            }
            while !run.survivors().isEmpty, ContinuousClock.now - start < limit {
                try await Task.sleep(for: .milliseconds(20))
            }
            #expect(run.survivors() == [], "\(place)")
            // A program that had not printed its first line yet had no time to clean up either.
            let wasKilled = isForced || end == -signal
            #expect(InterruptedCommand.leftovers(in: folder, wasKilled: wasKilled) == [], "\(place)")
            #expect(run.showsTyping, "\(place): the terminal does not show what is typed")
            let hides = run.output.ranges(of: "\u{1B}[?25l").count
            #expect(hides == 0 || run.output.contains("\u{1B}[?25h"), "\(place): the cursor stays hidden")
            // The files that a forced end may leave, and that the next command takes over.
            if wasKilled { unlink("\(folder)/done.csv.journal.lock") }
            // Plans that were done start again.
            for name in ["plan", "many"] {
                for part in ["", "-wal", "-shm", ".lock"] { unlink("\(folder)/\(name).csv.journal\(part)") }
            }
            return hadEnded ? 0 : end
        }
    }
}
