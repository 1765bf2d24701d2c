// A long-running program can begin any number of sessions without leaking resources

import Chance
import CoreNFC
import Foundation
import Testing
import VirtualPN532

@Suite(.timeLimit(.minutes(5))) struct LeakCampaign {
    /// Use a separate process, because whatever other tests open and allocate at the same time would also count.
    @Test func thousandsOfSessionsLeaveNeitherDescriptorsNorSessionsNorMemory() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            // Use one heap for all threads. If glibc spreads freed memory over several heaps, this looks like a leak.
            Self.useOneHeap()
            let readers = try (1...8).map { try VirtualReader(tags: [VirtualTagKind.ntag213.make(serial: $0)]) }
            let count = Campaign.count(150, long: 1_250)
            try await Sessions.beginAndInvalidate(200, on: readers)
            let before = try Footprint(ports: readers.map(\.path))
            try await Sessions.beginAndInvalidate(count, on: readers)
            let after = try Footprint(ports: readers.map(\.path))
            print("\(8 * count) sessions: \(before) → \(after)")
            #expect(after.descriptors <= before.descriptors)
            #expect(after.kilobytes < before.kilobytes + 4_000)
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        output.split(separator: "\n").filter { $0.contains(" sessions:") }.forEach { print($0) }
    }

    /// mallopt(M_ARENA_MAX, 1) of glibc's malloc.h, which Swift's Glibc does not import.
    private static func useOneHeap() {
        let mallopt = dlsym(nil, "mallopt").map { unsafeBitCast($0, to: (@convention(c) (CInt, CInt) -> CInt).self) }
        #expect(mallopt?(-8, 1) == 1)
    }
}

private enum Sessions {
    private struct Held {
        weak var session: NFCReaderSession?
    }

    /// Begins and ends this many sessions on each of the readers, concurrently.
    static func beginAndInvalidate(_ count: Int, on readers: [VirtualReader]) async throws {
        try await withThrowingTaskGroup(of: Void.self) { group in
            for reader in readers { group.addTask { try await beginAndInvalidate(count, on: reader) } }
            try await group.waitForAll()
        }
    }

    /// Begins and ends sessions of both kinds, and checks that none of them is left.
    private static func beginAndInvalidate(_ count: Int, on reader: VirtualReader) async throws {
        var held: [Held] = []
        for number in 1...count {
            if number.isMultiple(of: 2) {
                let delegate = MessageDelegate()
                let session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: true)
                session.readerSpecification = reader.connection
                held.append(Held(session: session))
                session.begin()
                // Most sessions end before or while the reader opens, which takes 50 ms, and some while it polls.
                if number.isMultiple(of: 100) { #expect(try await delegate.events.next() == .active) }
                session.invalidate()
                try await delegate.events.wait(for: .ended(200))
            } else {
                let delegate = NativeTagDelegate()
                let session = try #require(NFCTagReaderSession(pollingOption: .iso14443, delegate: delegate))
                session.readerSpecification = reader.connection
                held.append(Held(session: session))
                session.begin()
                if number.isMultiple(of: 101) {
                    try await delegate.events.wait(for: .detected(1))
                    try await session.connect(to: try #require(delegate.tags.first))
                }
                session.invalidate()
                try await delegate.events.wait(for: .ended(200))
            }
        }
        try await until { held.allSatisfy { $0.session == nil } }
    }
}

private struct Footprint: CustomStringConvertible {
    let descriptors: Int
    let kilobytes: Int

    init(ports: [String]) throws {
        // The virtual chips hold their ports only while no other process does.
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter { name in
            let path = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\(name)")
            return path.map { !ports.contains($0) } ?? true
        }
        .count
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        kilobytes = try #require(Int(line.filter(\.isNumber)))
    }

    var description: String { "\(descriptors) descriptors, \(kilobytes) KB" }
}
