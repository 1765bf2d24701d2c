// A long-running program may begin as many sessions as it likes

import CoreNFC
import Foundation
import Testing
import VirtualPN532

@Suite(.timeLimit(.minutes(2))) struct LeakTests {
    /// In a process of its own: what other tests beside this one open and allocate would count, too.
    @Test func tenThousandSessionsLeaveNeitherDescriptorsNorSessionsNorMemory() async throws {
        let result = await #expect(processExitsWith: .success, observing: [\.standardOutputContent]) {
            let reader = try VirtualReader(tags: [VirtualTagKind.ntag213.make()])
            try await Sessions.beginAndInvalidate(1_000, on: reader)
            let before = try Footprint(port: reader.path)
            try await Sessions.beginAndInvalidate(10_000, on: reader)
            let after = try Footprint(port: reader.path)
            print("10000 sessions: \(before) → \(after)")
            #expect(after.descriptors <= before.descriptors)
            #expect(after.kilobytes < before.kilobytes + 4_000)
        }
        let output = String(decoding: result?.standardOutputContent ?? [], as: UTF8.self)
        output.split(separator: "\n").filter { $0.contains("sessions:") }.forEach { print($0) }
    }
}

private enum Sessions {
    private struct Held {
        weak var session: NFCReaderSession?
    }

    /// Begins and ends sessions of both kinds; afterwards none of them is left.
    static func beginAndInvalidate(_ count: Int, on reader: VirtualReader) async throws {
        var held: [Held] = []
        for number in 1...count {
            if number.isMultiple(of: 2) {
                let delegate = MessageDelegate()
                let session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: true)
                session.readerSpecification = reader.connection
                held.append(Held(session: session))
                session.begin()
                // Most end before or while the reader opens, which takes 50 ms; some while it polls.
                if number.isMultiple(of: 500) { #expect(try await delegate.events.next() == .active) }
                session.invalidate()
                try await delegate.events.wait(for: .ended(200))
            } else {
                let delegate = NativeTagDelegate()
                let session = try #require(NFCTagReaderSession(pollingOption: .iso14443, delegate: delegate))
                session.readerSpecification = reader.connection
                held.append(Held(session: session))
                session.begin()
                if number.isMultiple(of: 501) {
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

/// What this process holds.
private struct Footprint: CustomStringConvertible {
    let descriptors: Int
    let kilobytes: Int

    init(port: String) throws {
        // The virtual chip itself holds its port only while nobody else does.
        descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) != port
        }
        .count
        let status = try String(contentsOfFile: "/proc/self/status", encoding: .utf8)
        let line = try #require(status.split(separator: "\n").first { $0.hasPrefix("VmRSS:") })
        kilobytes = try #require(Int(line.filter(\.isNumber)))
    }

    var description: String { "\(descriptors) descriptors, \(kilobytes) KB" }
}
