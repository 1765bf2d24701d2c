// nfctool itself with a chip whose replies are corrupted: it ends with a defined exit code, never by a signal

import Chance
import Foundation
import Synchronization
import Testing
import VirtualPN532

extension ReaderProcesses.MutatedReplyCampaign {
    @Test func everyCommandEndsWithADocumentedExitCode() throws {
        let commands = [
            ["read", "--timeout", "1s"], ["write", "--text", "hello", "--timeout", "1s", "--yes", "--no-wait"],
            ["scan", "--for", "1s"], ["info", "--timeout", "1s"], ["erase", "--timeout", "1s", "--yes"], ["doctor"],
        ]
        let runs = Campaign.count(36, long: 600)
        let statuses = Mutex<[Int32: Int]>([:])
        let next = Atomic(0)
        let group = DispatchGroup()
        for _ in 0..<12 {
            group.enter()
            Thread.detachNewThread {
                while true {
                    let number = next.add(1, ordering: .relaxed).oldValue
                    guard number < runs else { break }
                    let status = (try? Self.run(commands[number % commands.count], seed: UInt64(number))) ?? -1
                    statuses.withLock { $0[status, default: 0] += 1 }
                }
                group.leave()
            }
        }
        group.wait()
        let found = statuses.withLock { $0 }
        #expect(found.values.reduce(0, +) == runs)
        // See Docs/ExitCodes.md. A program that was ended by a signal would appear here with 1000 or more.
        #expect(Set(found.keys).isSubset(of: [0, 65, 69, 74, 75, 76, 77, 78]), "\(found)")
        #expect(found.keys.contains(74))
        print(
            "Mutated replies to \(runs) commands: \(found.sorted { $0.key < $1.key }.map { "\($0.value) × exit \($0.key)" })"
        )
    }

    private static func run(_ command: [String], seed: UInt64) throws -> Int32 {
        let chip = try VirtualReader(tags: [VirtualTagKind.ntag213.make()])
        let line = MutatingLine(to: chip.path, seed: seed)
        line.isMutating.store(false, ordering: .relaxed)
        let folder = FileManager.default.temporaryDirectory.appending(path: "mutated-\(UUID().uuidString.prefix(8))")
        defer {
            line.stop()
            chip.stop()
            try? FileManager.default.removeItem(at: folder)
        }
        let process = Process()
        process.executableURL = URL(filePath: Program.path)
        process.arguments = command + ["--reader", line.connection]
        process.environment = ProcessInfo.processInfo.environment.merging(["XDG_STATE_HOME": folder.path]) { $1 }
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        // Some replies are corrupted immediately, others later.
        usleep(UInt32(seed % 8) * 30_000)
        line.isMutating.store(true, ordering: .relaxed)
        process.waitUntilExit()
        return process.terminationReason == .exit ? process.terminationStatus : 1000 + process.terminationStatus
    }
}
