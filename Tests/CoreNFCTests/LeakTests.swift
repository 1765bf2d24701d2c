// A long-running program may begin as many sessions as it likes

import CoreNFC
import Foundation
import Testing
import VirtualPN532

@Suite(.timeLimit(.minutes(2))) struct LeakTests {
    private struct Held {
        weak var session: NFCNDEFReaderSession?
    }

    /// The descriptors of this process that lead to a path, or all.
    private func descriptors(to path: String? = nil) throws -> Int {
        let names = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")
        guard let path else { return names.count }
        return names.filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
        }
        .count
    }

    @Test func aThousandSessionsLeaveNeitherDescriptorsNorSessions() async throws {
        let reader = try VirtualReader()
        let before = (all: try descriptors(), port: try descriptors(to: reader.path))
        var held: [Held] = []
        for number in 1...1000 {
            let delegate = MessageDelegate()
            let session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: true)
            session.readerSpecification = reader.connection
            held.append(Held(session: session))
            session.begin()
            // Most end before or while the reader opens, which takes 50 ms; some while it polls.
            if number.isMultiple(of: 50) { #expect(try await delegate.events.next() == .active) }
            session.invalidate()
            try await delegate.events.wait(for: .ended(200))
        }
        try await until { held.allSatisfy { $0.session == nil } }
        // The virtual chip itself holds its port only while nobody else does.
        #expect(try descriptors(to: reader.path) <= before.port)
        // Other tests run beside this one, but a leak would leave a descriptor for each session.
        #expect(try descriptors() < before.all + 500)
    }
}
