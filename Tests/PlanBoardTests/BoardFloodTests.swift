// A board, and programs that connect to it without a request, send endlessly, or read nothing

import Foundation
import Glibc
import Testing

@testable import PlanBoard
@testable import Provisioning

@Suite(.serialized) struct BoardFloodTests {
    private static let request = "GET /state.json HTTP/1.1\r\nHost: localhost\r\n\r\n"

    /// Serves text while `body` runs on a separate thread.
    private static func serve(
        _ text: String = "{}", _ body: @escaping @Sendable (BoardListener, BoardFeed) throws -> Void
    ) async throws {
        // Each client also needs a descriptor.
        var limit = rlimit()
        getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        limit.rlim_cur = min(limit.rlim_max, 20000)
        setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
        let feed = BoardFeed()
        try feed.publish(.away(reason: text, since: Date(timeIntervalSince1970: 0)))
        let address = try BoardAddress("127.0.0.1:0")
        let guarding = BoardGuard(address, token: nil, names: [])
        let listener = try BoardListener(address, BoardServer(guarding: guarding, feed: feed))
        let running = Task { try await listener.run() }
        let outcome = await withCheckedContinuation { continuation in
            Thread.detachNewThread { continuation.resume(returning: Result { try body(listener, feed) }) }
        }
        running.cancel()
        try await running.value
        try outcome.get()
    }

    @Test func fiveThousandIdleConnectionsKeepNobodyOut() async throws {
        try await Self.serve { listener, _ in
            let stream = try BoardClient(listener.port)
            stream.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(stream.read(until: "\n\n").contains("databaseAway"))
            var idle: [BoardClient] = []
            for number in 1...5000 {
                idle.append(try BoardClient(listener.port))
                if number % 500 == 0 {
                    let browser = try BoardClient(listener.port)
                    browser.send(Self.request)
                    #expect(browser.read().hasPrefix("HTTP/1.1 200 OK\r\n"), "\(number)")
                }
            }
            let descriptors = try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").count
            #expect(descriptors - idle.count < BoardListener.mostConnections + 300)
            // The client that sent a request is still connected.
            var peer = pollfd(fd: stream.socket, events: Int16(POLLIN), revents: 0)
            #expect(poll(&peer, 1, 0) == 0)
        }
    }

    @Test func anEndlessRequestIsEnded() async throws {
        try await Self.serve { listener, _ in
            for line in [
                String(repeating: "x", count: 4096), "GET / HTTP/1.1\r\n" + String(repeating: "a: b\r\n", count: 700),
            ] {
                let client = try BoardClient(listener.port)
                var sent = 0
                while sent < 64 << 20, client.send(line) { sent += line.utf8.count }
                #expect(sent < 16 << 20)
            }
            let polite = try BoardClient(listener.port)
            polite.send("GET /" + String(repeating: "x", count: BoardGuard.Request.longestHead))
            #expect(polite.read().hasPrefix("HTTP/1.1 431 "))
        }
    }

    @Test func aRequestThatDoesNotComeIsEnded() async throws {
        try await Self.serve { listener, _ in
            let client = try BoardClient(listener.port)
            client.send("GET / HT")
            let start = ContinuousClock.now
            #expect(client.read().isEmpty)
            #expect((.seconds(8)...(.seconds(25))).contains(.now - start))
        }
    }

    @Test func streamsHaveAnEndAndTheirPlacesAreFreeAgain() async throws {
        try await Self.serve { listener, feed in
            let ask = "GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n"
            var streams: [BoardClient] = []
            for _ in 0..<BoardListener.mostStreams {
                streams.append(try BoardClient(listener.port))
                streams.last?.send(ask)
                #expect(streams.last?.read(until: "\n\n").contains("200 OK") == true)
            }
            let late = try BoardClient(listener.port)
            late.send(ask)
            #expect(late.read().hasPrefix("HTTP/1.1 503 "))
            streams.removeLast(5)
            try feed.publish(.away(reason: "news", since: Date(timeIntervalSince1970: 1)))
            listener.ring()
            var answer = ""
            for _ in 0..<50 where !answer.hasPrefix("HTTP/1.1 200") {
                let next = try BoardClient(listener.port)
                next.send(ask)
                answer = next.read(until: "\r\n\r\n")
                usleep(20_000)
            }
            #expect(answer.hasPrefix("HTTP/1.1 200"))
        }
    }

    /// The system's buffers take a few megabytes at most.
    @Test func aStreamThatTakesNothingIsEnded() async throws {
        try await Self.serve { listener, feed in
            let client = try BoardClient(listener.port)
            client.send("GET /events HTTP/1.1\r\nHost: localhost\r\n\r\n")
            #expect(client.read(until: "\n\n").contains("databaseAway"))
            // Each event is a change. Together, they are larger than the system's buffers for a connection.
            let reason = String(repeating: "x", count: 1 << 20)
            let start = ContinuousClock.now
            var isEnded = false
            for number in 0..<400 where !isEnded {
                if number < 20 {
                    try feed.publish(.away(reason: "\(number)\(reason)", since: Date(timeIntervalSince1970: 0)))
                    for _ in 1..<BoardFeed.longestQuiet {
                        try feed.publish(.away(reason: reason, since: Date(timeIntervalSince1970: 0)))
                    }
                    listener.ring()
                }
                usleep(100_000)
                var state = pollfd(fd: client.socket, events: 0, revents: 0)
                isEnded = poll(&state, 1, 0) == 1 && state.revents & Int16(POLLHUP | POLLERR) != 0
            }
            #expect(isEnded && .now - start < .seconds(60))
        }
    }

    @Test func anEndlessBodyIsEndedAndAHalfClosedRequestIsAnswered() async throws {
        try await Self.serve { listener, _ in
            let body = try BoardClient(listener.port)
            body.send("POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999\r\n\r\n")
            #expect(body.read().hasPrefix("HTTP/1.1 405 "))
            var sent = 0
            while sent < 64 << 20, body.send(String(repeating: "x", count: 4096)) { sent += 4096 }
            #expect(sent < 16 << 20)
            let half = try BoardClient(listener.port)
            half.send(Self.request)
            shutdown(half.socket, Int32(SHUT_WR))
            #expect(half.read().hasPrefix("HTTP/1.1 200 "))
            let broken = try BoardClient(listener.port)
            broken.send("\u{16}\u{3}\u{1}\r\n\r\n")
            #expect(broken.read().hasPrefix("HTTP/1.1 400 "))
        }
    }
}
