// A board as browsers get it over HTTP, for a plan in a database (with a reader's rights) and for a plan in a file

import Foundation
import FoundationNetworking
import PostgreSQLJournal
import PostgreSQLServer
import Provisioning
import Synchronization
import Testing

@testable import PlanBoard

@Suite struct BoardServingTests {
    /// Makes a board update when a test requests an update.
    private final class Looks: Sendable {
        private let (stream, continuation) = AsyncStream.makeStream(of: Void.self)

        func next() { continuation.yield() }

        @Sendable func wait() async throws {
            for await _ in stream { return }
            throw CancellationError()
        }
    }

    private static let identity = PlanIdentity(file: "plan.csv", sha256: String(repeating: "AB", count: 32), recipe: [])

    private static func fill(_ insert: (PlanRow) throws -> Void) throws -> PlanIdentity {
        for number in 1...3 {
            try insert(PlanRow(number: number, line: number + 1, fields: [PlanField(name: "secret", value: "s3cret")]))
        }
        return identity
    }

    /// A plan in a database, and a login that may only read it.
    private static func plan() throws -> (station: any ProvisionJournal, reader: any ProvisionJournal) {
        let server = try PostgreSQLServer.shared.get()
        let database = try server.newDatabase()
        let owner = PlanServer(try ServerAddress(server.uri(database)))
        try owner.prepare()
        let login = "screen_" + UUID().uuidString.prefix(8).lowercased()
        try server.sql("CREATE ROLE \(login) LOGIN IN ROLE nfctool_reader", in: database)
        let station = try owner.store(plan: "plan.csv", station: #"<b>"desk'</script>"#).create(rows: fill)
        return (station, try PlanServer(ServerAddress(server.uri(database, user: login))).open(plan: "plan.csv"))
    }

    private static func bind(_ number: Int, in journal: any ProvisionJournal) throws {
        try journal.bind(
            number,
            to: BoundTag(uid: [4, UInt8(number)], chip: "NTAG213", reader: "usb:1-2", bound: Date()))
    }

    /// Runs a board while `body` sends it requests.
    private static func serve(
        _ journal: any ProvisionJournal, token: BoardToken? = nil, on address: String = "127.0.0.1:0",
        _ body: @escaping @Sendable (_ page: String, Looks) async throws -> Void
    ) async throws {
        let looks = Looks()
        let board = try PlanBoard(
            PlanWatch(journal, pause: looks.wait), on: BoardAddress(address), token: token,
            names: token == nil ? [] : ["board.example"])
        let (pages, listening) = AsyncStream.makeStream(of: String.self)
        let running = Task { try await board.run { listening.yield($0) } }
        defer { running.cancel() }
        for await page in pages {
            try await body(page, looks)
            break
        }
        running.cancel()
        _ = await running.result
    }

    private static func get(
        _ address: String, _ headers: [String: String] = [:], method: String = "GET"
    ) async throws -> (HTTPURLResponse, String) {
        var request = URLRequest(url: try #require(URL(string: address)), timeoutInterval: 10)
        request.httpMethod = method
        for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
        let session = URLSession(configuration: .ephemeral, delegate: NoRedirect(), delegateQueue: nil)
        defer { session.finishTasksAndInvalidate() }
        let (data, response) = try await session.data(for: request)
        return (try #require(response as? HTTPURLResponse), String(decoding: data, as: UTF8.self))
    }

    private final class NoRedirect: NSObject, URLSessionTaskDelegate {
        func urlSession(
            _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
            newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
        ) { completionHandler(nil) }
    }

    /// Reads a stream of events as they arrive.
    private final class Events: NSObject, URLSessionDataDelegate {
        private let text = Mutex("")
        private let (stream, continuation) = AsyncStream.makeStream(of: String.self)
        private let task = Mutex<URLSessionDataTask?>(nil)

        func open(_ address: String) throws {
            let session = URLSession(configuration: .ephemeral, delegate: self, delegateQueue: nil)
            let task = session.dataTask(with: try #require(URL(string: address)))
            self.task.withLock { $0 = task }
            task.resume()
            session.finishTasksAndInvalidate()
        }

        func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
            text.withLock { text in
                text += String(decoding: data, as: UTF8.self)
                while let end = text.range(of: "\n\n") {
                    continuation.yield(String(text[..<end.lowerBound]))
                    text.removeSubrange(..<end.upperBound)
                }
            }
        }

        func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
            continuation.finish()
        }

        func next() async -> String? {
            for await event in stream { return event }
            return nil
        }

        func close() { task.withLock { $0?.cancel() } }
    }

    @Test func changesReachTheBrowserAsTheyHappen() async throws {
        let (station, reader) = try Self.plan()
        try await Self.serve(reader) { page, looks in
            let events = Events()
            try events.open(page + "events")
            let first = try #require(await events.next())
            #expect(first.hasPrefix("retry: 2000\ndata: {") && first.contains(#""pending":3"#))
            try Self.bind(1, in: station)
            looks.next()
            let second = try #require(await events.next())
            // The station is connected, so the row is being written.
            #expect(second.contains(#""bound":1"#) && second.contains(#""interrupted":0"#))
            try station.refuse(
                RefusedTag(
                    uid: [4, 9], chip: "c", reader: "\"</script><b>\u{2028}\n" + String(repeating: "x", count: 1 << 20),
                    cause: "readOnly", reason: "r", isQuarantined: false, time: Date()))
            looks.next()
            let third = try #require(await events.next())
            // The event is one line of data. It is shortened, and contains no cells of the plan.
            #expect(third.split(separator: "\n").count == 2 && third.utf8.count < 4000 && !third.contains("s3cret"))
            let data = try #require(third.split(separator: "\n").last).dropFirst("data: ".count)
            let state = try #require(
                try JSONSerialization.jsonObject(with: Data(data.utf8)) as? [String: Any])
            let stations = try #require(state["stations"] as? [[String: Any]])
            #expect(stations.first?["station"] as? String == #"<b>"desk'</script>"#)
            #expect((stations.first?["readers"] as? [[String: Any]])?.first?["refused"] as? Int == 1)
            #expect((state["lastHour"] as? [Int])?.count == 60)
            events.close()
        }
    }

    @Test func thePageIsStaticAndAsksForNothingElsewhere() async throws {
        let (station, reader) = try Self.plan()
        try await Self.serve(reader) { page, _ in
            let (response, html) = try await Self.get(page)
            #expect(response.statusCode == 200 && html == BoardPage.html)
            for place in ["", "board.css", "board.js", "state.json"] {
                let (response, text) = try await Self.get(page + place)
                #expect(response.statusCode == 200 && !text.contains("https:"), "\(place)")
                let policy = try #require(response.value(forHTTPHeaderField: "Content-Security-Policy"))
                #expect(policy.hasPrefix("default-src 'none'; script-src 'self';") && !policy.contains("unsafe"))
                #expect(response.value(forHTTPHeaderField: "X-Content-Type-Options") == "nosniff")
                #expect(response.value(forHTTPHeaderField: "Cache-Control") == "no-store")
            }
            // Text of a plan is never interpreted as markup.
            for word in ["innerHTML", "outerHTML", "insertAdjacent", "document.write", "eval("] {
                #expect(!BoardScript.text.contains(word))
            }
            #expect(try await Self.get(page + "../../etc/passwd").0.statusCode == 404)
            #expect(try await Self.get(page, ["Host": "evil.example"]).0.statusCode == 421)
            #expect(try await Self.get(page, ["Host": "board.example"]).0.statusCode == 421)
            #expect(try await Self.get(page, method: "POST").0.statusCode == 405)
            let head = try await Self.get(page, method: "HEAD")
            #expect(head.0.statusCode == 200 && head.1.isEmpty)
        }
        withExtendedLifetime(station) {}
    }

    @Test func withATokenNothingIsSeenWithout() async throws {
        let (station, reader) = try Self.plan()
        let token = BoardToken()
        try await Self.serve(reader, token: token, on: "0.0.0.0:0") { page, _ in
            let port = try #require(URL(string: page)?.port)
            let page = "http://127.0.0.1:\(port)/"
            for place in ["", "board.css", "board.js", "state.json", "events", "?token=wrong"] {
                #expect(try await Self.get(page + place).0.statusCode == 401, "\(place)")
            }
            let (welcome, _) = try await Self.get(page + "?token=\(token.text)")
            #expect(welcome.statusCode == 303 && welcome.value(forHTTPHeaderField: "Location") == "/")
            let cookie = try #require(welcome.value(forHTTPHeaderField: "Set-Cookie")?.split(separator: ";").first)
            #expect(try await Self.get(page, ["Cookie": String(cookie)]).0.statusCode == 200)
            let state = try await Self.get(page + "state.json", ["Authorization": "Bearer \(token.text)"])
            #expect(state.0.statusCode == 200 && state.1.contains(#""rows":3"#))
            let named = ["Authorization": "Bearer \(token.text)", "Host": "board.example"]
            #expect(try await Self.get(page, named).0.statusCode == 200)
        }
        withExtendedLifetime(station) {}
    }

    @Test func otherMachinesNeedAToken() throws {
        let (station, reader) = try Self.plan()
        for address in ["0.0.0.0:0", "[::]:0", "192.168.1.5:0"] {
            let address = try BoardAddress(address)
            #expect(throws: BoardError.tokenNeeded(address)) {
                try PlanBoard(PlanWatch(reader), on: address, token: nil)
            }
        }
        withExtendedLifetime(station) {}
    }

    @Test func namesNeedATokenAndAreNames() throws {
        let (station, reader) = try Self.plan()
        let address = try BoardAddress("127.0.0.1:0")
        #expect(throws: BoardError.tokenNeededForName("board.example")) {
            try PlanBoard(PlanWatch(reader), on: address, token: nil, names: ["board.example"])
        }
        #expect(throws: BoardError.badName("board.example:443")) {
            try PlanBoard(PlanWatch(reader), on: address, token: BoardToken(), names: ["board.example:443"])
        }
        withExtendedLifetime(station) {}
    }

    @Test func aPortThatIsTakenIsSaid() async throws {
        let (station, reader) = try Self.plan()
        try await Self.serve(reader) { page, looks in
            let port = try #require(URL(string: page)?.port)
            let address = try BoardAddress("127.0.0.1:\(port)")
            let board = try PlanBoard(PlanWatch(reader, pause: looks.wait), on: address, token: nil)
            await #expect(throws: BoardError.addressTaken(address)) { try await board.run { _ in } }
        }
        withExtendedLifetime(station) {}
    }

    @Test func aPlanInAFileHasABoardToo() async throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-board-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = folder.appending(path: "plan.csv.journal")
        let journal = try EmbeddedJournal.create(at: file, rows: Self.fill)
        try Self.bind(2, in: journal)
        try await Self.serve(EmbeddedJournal.openForReading(file)) { page, looks in
            let events = Events()
            try events.open(page + "events")
            #expect(try #require(await events.next()).contains(#""bound":1"#))
            try Self.bind(3, in: journal)
            looks.next()
            #expect(try #require(await events.next()).contains(#""bound":2"#))
            events.close()
        }
    }
}
