// Why a session ended: one code for each reason — CoreNFC NFCReaderError.Code

import CoreNFC
import Foundation
import ReaderInterface
import Testing
import VicinityReaders
import VirtualPN532

@Suite(.timeLimit(.minutes(5))) struct EndCodeTests {
    @Test func theTimeLimitEndsASessionWith201() async throws {
        let bench = try Bench()
        #expect(bench.session.timeLimit == 60)
        bench.session.timeLimit = 0.01
        bench.session.begin()
        try await bench.events.wait(for: .ended(201))
    }

    @Test func theTimeLimitEndsASessionThatHoldsATag() async throws {
        // On a busy machine, the tag may not be found within the shortest of these limits.
        for limit in [0.2, 1, 5, 25] {
            let bench = try Bench([VirtualTagKind.ntag213.make()])
            bench.session.timeLimit = limit
            guard let tag = try? await bench.begin().first else { continue }
            bench.session.connect(to: tag) { _ in }
            try await bench.events.wait(for: .ended(201))
            #expect(!tag.isAvailable)
            return
        }
        Issue.record("No tag was found in time.")
    }

    @Test func aReaderInUseByAnotherSessionGives203AndLeavesThatSessionAlone() async throws {
        let bench = try Bench()
        bench.session.begin()
        #expect(try await bench.events.next() == .active)
        for suffix in ["", ":115200"] {
            let second = MessageDelegate()
            let session = NFCNDEFReaderSession(delegate: second, queue: nil, invalidateAfterFirstRead: true)
            session.readerSpecification = bench.reader.connection + suffix
            session.begin()
            #expect(try await second.events.next() == .ended(203))
        }
        bench.reader.field.place(VirtualTagKind.ntag213.make())
        #expect(try await bench.tags().count == 1)
        try await bench.end()
    }

    @Test func aReaderInUseByAnotherProcessGives203AndItsName() async throws {
        let bench = try ReadingBench()
        let holder = Process()
        holder.executableURL = URL(fileURLWithPath: "/bin/sh")
        holder.arguments = ["-c", "exec 3<>\(bench.reader.path); echo open; read line"]
        let (input, output) = (Pipe(), Pipe())
        holder.standardInput = input
        holder.standardOutput = output
        try holder.run()
        #expect(output.fileHandleForReading.availableData == Data("open\n".utf8))

        let ends = Events<String>()
        let delegate = UnderlyingErrorDelegate(ends)
        let session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: true)
        session.readerSpecification = bench.reader.connection
        session.begin()
        let process = "sh (process \(holder.processIdentifier))"
        #expect(try await ends.next() == "203 The reader \(bench.reader.connection) is in use by \(process).")

        try input.fileHandleForWriting.close()
        holder.waitUntilExit()
        bench.session.begin()
        #expect(try await bench.events.next() == .active)
        bench.session.invalidate()
        try await bench.events.wait(for: .ended(200))
    }

    @Test func aTagFileInUseGives203AndItsName() async throws {
        let path = FileManager.default.temporaryDirectory.appending(path: "\(UUID()).nfc").path
        defer { try? FileManager.default.removeItem(atPath: path) }
        // The lock is the same in this process as in another one.
        let holder = try VirtualReaderSpec(parsing: path).makeReader()
        defer { withExtendedLifetime(holder) {} }
        let ends = Events<String>()
        let delegate = UnderlyingErrorDelegate(ends)
        let session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: true)
        session.readerSpecification = "virtual:\(path)"
        session.begin()
        let end = try await ends.next()
        #expect(end.hasPrefix("203 The tag file \(path) is in use by "), "\(end)")
    }

    @Test(arguments: [
        (ReaderError.busy(connection: "pcsc:desk", holder: nil), 203),
        (ReaderError.readerFailed(operation: "polling", reason: "it is taken", code: -16, fault: .taken), 203),
        (ReaderError.readerFailed(operation: "polling", reason: "it is gone", code: -4, fault: .unplugged), 202),
    ])
    func aReaderThatAnotherProgramTakesGives203(_ failure: ReaderError, _ code: Int) async throws {
        let desk = VicinityDesk(pollFailure: failure)
        let delegate = MessageDelegate()
        let session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: false)
        session.readerSpecification = desk.connection
        session.begin()
        try await delegate.events.wait(for: .ended(code))
    }

    @Test(arguments: ["pn532_uart:/dev/nosuch", "nosuch", "virtual:nosuch", "virtual:/nosuch/tag.nfc"])
    func withoutAReaderTheCodeIs1(_ specification: String) async throws {
        let ends = Events<String>()
        let delegate = UnderlyingErrorDelegate(ends)
        let session = NFCNDEFReaderSession(delegate: delegate, queue: nil, invalidateAfterFirstRead: true)
        session.readerSpecification = specification
        session.begin()
        let end = try await ends.next()
        #expect(end.hasPrefix("1 "))
        #expect(end.contains("nosuch"))
    }

    @Test(arguments: ["mute", "hang"])
    func aReaderThatIsMuteFromTheStartGives202(_ fault: String) async throws {
        var faults = Faults()
        try faults.apply(fault, "0")
        let bench = try Bench(faults: faults)
        bench.session.begin()
        #expect(try await bench.events.next() == .ended(202))
    }

    @Test func aReaderThatGoesMuteWhilePollingGives202() async throws {
        let bench = try Bench()
        bench.session.begin()
        #expect(try await bench.events.next() == .active)
        bench.reader.faults.mute = 0
        #expect(try await bench.events.next() == .ended(202))
    }

    @Test(arguments: ["mute", "hang"])
    func aReaderThatGoesMuteInAnOperationFailsItAndThenEndsTheSession(_ fault: String) async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let tag = try await bench.connectedTag()
        let events = bench.events
        try bench.reader.faults.apply(fault, "0")
        tag.queryNDEFStatus { status, capacity, error in
            #expect(status == .notSupported && capacity == 0)
            events.record(.handled("status", (error as? NFCReaderError)?.errorCode ?? 0))
        }
        #expect(try await events.next() == .handled("status", 103))
        #expect(try await events.next() == .ended(202))
    }

    @Test func aFirstReadEndsWith204AfterTheMessages() async throws {
        for _ in 0..<10 {
            let bench = try ReadingBench([VirtualTagKind.demonstration()], once: true)
            bench.session.begin()
            try await bench.events.wait(for: .ended(204))
            #expect(bench.events.all == [.active, .messages([2]), .ended(204)])
        }
    }

    @Test func bothWaysToInvalidateGive200() async throws {
        for ends in [{ $0.invalidate() }, { $0.invalidate(errorMessage: "no") }] as [(NFCNDEFReaderSession) -> Void] {
            let bench = try Bench()
            bench.session.begin()
            #expect(try await bench.events.next() == .active)
            ends(bench.session)
            #expect(try await bench.events.next() == .ended(200))
        }
    }

    @Test func invalidatingWhileTheReaderHangsDoesNotWaitForIt() async throws {
        let bench = try Bench([VirtualTagKind.ntag213.make()])
        let tag = try await bench.connectedTag()
        let events = bench.events
        bench.reader.faults.hang = 0
        tag.readNDEF { _, error in events.record(.handled("read", (error as? NFCReaderError)?.errorCode ?? 0)) }
        bench.session.invalidate()
        #expect(try await events.next() == .handled("read", 103))
        #expect(try await events.next() == .ended(200))
    }
}

/// Records the code of the end, and the text of the underlying error.
final class UnderlyingErrorDelegate: NSObject, NFCNDEFReaderSessionDelegate, Sendable {
    private let ends: Events<String>

    init(_ ends: Events<String>) { self.ends = ends }

    func readerSession(_ session: NFCNDEFReaderSession, didInvalidateWithError error: any Error) {
        let error = error as? NFCReaderError
        let cause = error?.userInfo[NSUnderlyingErrorKey].map { "\($0)" }
        ends.record("\(error?.errorCode ?? 0) \(cause ?? "-")")
    }

    func readerSession(_ session: NFCNDEFReaderSession, didDetectNDEFs messages: [NFCNDEFMessage]) {}
}
