// A connection to the server: statements with parameters, each with a deadline for its answer — libpq, 34.3 and 34.4

import Clibpq
import Foundation
import Glibc
import Hexadecimal
import Provisioning

/// A connection to a PostgreSQL server.
///
/// It must be used by one thread at a time. After a failure, it cannot be used again, and the current statement may or
/// may not have been carried out.
final class ServerConnection: @unchecked Sendable {
    /// The deadline for the answer to a statement.
    static let deadline = Duration.seconds(10)
    /// The deadline for a page of rows.
    static let pageDeadline = Duration.seconds(60)
    /// The deadline for work on a whole plan.
    static let longDeadline = Duration.seconds(3600)
    private static let connectTimeout = "5"

    /// The name of the journal in errors.
    let journal: String
    /// The number of statements sent, each of which is one round trip.
    private(set) var roundTrips = 0
    private let link: OpaquePointer
    private var failure: String?

    /// Connects to the server.
    ///
    /// - Throws: `away`; `noSuchDatabase`, `loginRefused` or `refusedByServer` if another attempt cannot succeed.
    init(_ address: ServerAddress) throws(JournalError) {
        journal = address.name
        // The URI comes last, so that its parameters take precedence.
        let parameters = [
            ("connect_timeout", Self.connectTimeout), ("keepalives_idle", "10"), ("keepalives_interval", "5"),
            ("keepalives_count", "3"), ("client_encoding", "UTF8"), ("fallback_application_name", "nfctool"),
            ("dbname", address.uri),
        ]
        let keywords = parameters.map { strdup($0.0) } + [nil]
        let values = parameters.map { strdup($0.1) } + [nil]
        defer { for text in keywords + values { free(text) } }
        guard
            let link = keywords.withUnsafeBufferPointer({ keywords in
                values.withUnsafeBufferPointer { values in
                    PQconnectdbParams(
                        UnsafeRawPointer(keywords.baseAddress)?.assumingMemoryBound(to: UnsafePointer<CChar>?.self),
                        UnsafeRawPointer(values.baseAddress)?.assumingMemoryBound(to: UnsafePointer<CChar>?.self), 1)
                }
            })
        else { throw .away(journal: journal, reason: "There is not enough memory for a connection.") }
        guard PQstatus(link) == CONNECTION_OK else {
            let message = PQerrorMessage(link).map { String(cString: $0) } ?? ""
            PQfinish(link)
            if let reason = ConnectionText.permanentReason(message, address: address) {
                throw .noSuchDatabase(journal: journal, reason: reason)
            }
            if let reason = ConnectionText.loginRefusal(message) {
                throw .loginRefused(journal: journal, reason: reason)
            }
            throw .away(journal: journal, reason: ConnectionText.sentences(message))
        }
        self.link = link
        // Ignore notices from the server, which libpq would otherwise print to stderr.
        PQsetNoticeProcessor(link, { _, _ in }, nil)
        do {
            try prepare()
        } catch {
            PQfinish(link)
            throw error
        }
    }

    deinit { PQfinish(link) }

    /// Configures the session so that confirmed steps are on disk, even on a synchronous replica, and dead stations are
    /// noticed within a minute.
    private func prepare() throws(JournalError) {
        _ = try rows(
            """
            SELECT set_config('synchronous_commit', CASE WHEN current_setting('synchronous_commit') = 'remote_apply'
                    THEN 'remote_apply' ELSE 'on' END, false),
                set_config('search_path', 'pg_catalog', false), set_config('TimeZone', 'UTC', false),
                set_config('default_transaction_isolation', 'read committed', false),
                set_config('tcp_keepalives_idle', '20', false), set_config('tcp_keepalives_interval', '10', false),
                set_config('tcp_keepalives_count', '3', false), set_config('idle_in_transaction_session_timeout', '0', false)
            """)
    }

    /// Runs a statement.
    ///
    /// Its values are sent separately and never become part of its text.
    ///
    /// - Returns: the values of each row as text, with nil for NULL.
    func rows(
        _ statement: String, _ values: [ServerValue] = [], within deadline: Duration = ServerConnection.deadline
    ) throws(JournalError) -> [[String?]] {
        let texts = try values.map { value throws(JournalError) in try value.text(journal: journal) }
        try send(statement, texts)
        let results = try results(within: deadline)
        var rows: [[String?]] = []
        for result in results {
            for row in 0..<PQntuples(result.pointer) {
                rows.append(
                    (0..<PQnfields(result.pointer)).map { column in
                        guard PQgetisnull(result.pointer, row, column) == 0 else { return nil }
                        return PQgetvalue(result.pointer, row, column).map { value in
                            let length = Int(PQgetlength(result.pointer, row, column))
                            return value.withMemoryRebound(to: UInt8.self, capacity: length) {
                                String(decoding: UnsafeBufferPointer(start: $0, count: length), as: UTF8.self)
                            }
                        }
                    })
            }
        }
        return rows
    }

    func value(
        _ statement: String, _ values: [ServerValue] = [], within deadline: Duration = ServerConnection.deadline
    ) throws(JournalError) -> String {
        guard let value = try rows(statement, values, within: deadline).first?.first ?? nil else {
            throw .damaged(path: journal, code: 0, reason: "the server sent an empty answer")
        }
        return value
    }

    func number(
        _ statement: String, _ values: [ServerValue] = [], within deadline: Duration = ServerConnection.deadline
    ) throws(JournalError) -> Int {
        try number(in: try value(statement, values, within: deadline))
    }

    func number(in text: String) throws(JournalError) -> Int {
        guard let number = Int(text) else {
            throw .damaged(path: journal, code: 0, reason: "the server did not answer with a number")
        }
        return number
    }

    /// Runs several statements, without values.
    func script(_ statements: String) throws(JournalError) {
        if let failure { throw .away(journal: journal, reason: failure) }
        roundTrips += 1
        guard PQsendQuery(link, statements) == 1 else { throw failed(Self.line(PQerrorMessage(link))) }
        _ = try results(within: Self.longDeadline)
    }

    /// Runs work in a transaction.
    ///
    /// An error rolls back all of the work.
    func transaction<Value>(_ work: () throws -> Value) throws -> Value {
        _ = try rows("BEGIN")
        do {
            let value = try work()
            _ = try rows("COMMIT", within: Self.longDeadline)
            return value
        } catch {
            if failure == nil { _ = try? rows("ROLLBACK") }
            throw error
        }
    }

    /// Sends items to a table with COPY … FROM STDIN, one line per item in its text format.
    ///
    /// - Throws: a `JournalError`, or what `items` threw.
    func copy<Item, Value>(
        _ statement: String, line: @escaping (Item) -> String, _ items: ((Item) throws -> Void) throws -> Value
    ) throws -> Value {
        try send(statement, [])
        _ = try results(within: Self.deadline)
        var buffer: [UInt8] = []
        func put() throws(JournalError) {
            guard !buffer.isEmpty else { return }
            let sent = buffer.withUnsafeBytes { bytes in
                PQputCopyData(link, bytes.baseAddress?.assumingMemoryBound(to: CChar.self), Int32(bytes.count))
            }
            guard sent == 1 else { throw failed(Self.line(PQerrorMessage(link))) }
            buffer.removeAll(keepingCapacity: true)
        }
        let value: Value
        do {
            value = try items { item in
                buffer += line(item).utf8
                if buffer.count >= Self.copySize { try put() }
            }
            try put()
        } catch {
            if failure == nil, PQputCopyEnd(link, "the plan ended early") == 1 {
                _ = try? results(within: Self.deadline)
            }
            throw error
        }
        guard PQputCopyEnd(link, nil) == 1 else { throw failed(Self.line(PQerrorMessage(link))) }
        _ = try results(within: Self.longDeadline)
        return value
    }

    private static let copySize = 1 << 16

    // MARK: Answers from libpq

    private final class Answer {
        let pointer: OpaquePointer
        init(_ pointer: OpaquePointer) { self.pointer = pointer }
        deinit { PQclear(pointer) }
    }

    private func send(_ statement: String, _ values: [String?]) throws(JournalError) {
        if let failure { throw .away(journal: journal, reason: failure) }
        roundTrips += 1
        let texts = values.map { $0.flatMap { strdup($0) } }
        defer { for text in texts { free(text) } }
        let sent = texts.withUnsafeBufferPointer { texts in
            PQsendQueryParams(
                link, statement, Int32(texts.count), nil,
                UnsafeRawPointer(texts.baseAddress)?.assumingMemoryBound(to: UnsafePointer<CChar>?.self), nil, nil, 0)
        }
        guard sent == 1 else { throw failed(Self.line(PQerrorMessage(link))) }
    }

    private func results(within deadline: Duration) throws(JournalError) -> [Answer] {
        let end = ContinuousClock.now + deadline
        var answers: [Answer] = []
        var error: JournalError?
        while true {
            while PQisBusy(link) == 1 {
                var descriptor = pollfd(fd: PQsocket(link), events: Int16(POLLIN), revents: 0)
                let left = max(0, (end - .now) / .milliseconds(1))
                guard poll(&descriptor, 1, Int32(min(left.rounded(.up), 60_000))) >= 0 || errno == EINTR else {
                    throw failed(String(cString: strerror(errno)))
                }
                // An answer may have arrived even if the deadline has passed, because this process itself may have been
                // stopped.
                guard descriptor.revents != 0 || left > 0 else {
                    throw failed("The server did not answer for \(deadline.components.seconds) s.")
                }
                guard descriptor.revents == 0 || PQconsumeInput(link) == 1 else {
                    throw failed(Self.line(PQerrorMessage(link)))
                }
            }
            guard let pointer = PQgetResult(link) else { break }
            let answer = Answer(pointer)
            switch PQresultStatus(pointer) {
            case PGRES_TUPLES_OK, PGRES_COMMAND_OK: answers.append(answer)
            case PGRES_COPY_IN: return answers
            default: error = error ?? self.error(of: answer)
            }
        }
        if PQstatus(link) != CONNECTION_OK { throw failed(Self.line(PQerrorMessage(link))) }
        if let error { throw error }
        return answers
    }

    /// Marks the connection as failed, and returns the error.
    private func failed(_ reason: String) -> JournalError {
        let reason = failure ?? (reason.isEmpty ? "The connection was lost." : ConnectionText.sentences(reason))
        failure = reason
        return .away(journal: journal, reason: reason)
    }

    private func error(of answer: Answer) -> JournalError {
        func field(_ code: Character) -> String? {
            PQresultErrorField(answer.pointer, Int32(code.asciiValue ?? 0)).map { String(cString: $0) }
        }
        // PG_DIAG_SQLSTATE and PG_DIAG_MESSAGE_PRIMARY: libpq defines them as macros for these characters.
        let (state, message) = (field("C") ?? "", field("M") ?? Self.line(PQresultErrorMessage(answer.pointer)))
        let error = JournalError(sqlState: state, reason: message, journal: journal)
        // `away` means that the server ended the connection, or no longer accepts writes.
        if case .away = error { return failed(message) }
        return error
    }

    private static func line(_ text: UnsafePointer<CChar>?) -> String {
        ConnectionText.joined(text.map { String(cString: $0) } ?? "")
    }
}

/// A value to send with a statement.
enum ServerValue {
    case null
    case int(Int)
    case flag(Bool)
    case text(String)
    case bytes([UInt8])

    static func optional(_ number: Int?) -> ServerValue { number.map { .int($0) } ?? .null }

    /// Returns the value in libpq's text format.
    ///
    /// - Throws: `unstorable` for a string that contains a NUL: PostgreSQL cannot store it, and libpq would end the
    ///   string there.
    func text(journal: String) throws(JournalError) -> String? {
        switch self {
        case .null: return nil
        case .int(let number): return String(number)
        case .flag(let flag): return flag ? "t" : "f"
        case .bytes(let bytes): return "\\x" + bytes.hex
        case .text(let text):
            guard !text.utf8.contains(0) else { throw .unstorable(journal: journal) }
            return text
        }
    }
}

extension JournalError {
    /// The code of a refusal by the server or by one of our functions in it, or nil for other errors.
    var serverCode: String? { if case .refusedByServer(_, let code, _) = self { code } else { nil } }

    /// Creates the error that corresponds to a refusal by the server — PostgreSQL, Appendix A: Error Codes.
    init(sqlState state: String, reason: String, journal: String) {
        switch state {
        // admin_shutdown, crash_shutdown, cannot_connect_now, idle_session_timeout; too_many_connections;
        // read_only_sql_transaction, which occurs after a fail-over.
        case "57P01", "57P02", "57P03", "57P05", "53300", "25006": self = .away(journal: journal, reason: reason)
        case _ where state.hasPrefix("08"): self = .away(journal: journal, reason: reason)
        // undefined schema, table, function.
        case "3F000", "42P01", "42883": self = .notPrepared(journal: journal)
        case "53100": self = .full(path: journal, code: 0, reason: reason)
        case ServerFunctions.stationGone: self = .planReplaced(journal: journal)
        case ServerFunctions.damagedTally:
            self = .damaged(path: journal, code: 0, reason: "its row count is not valid")
        default: self = .refusedByServer(journal: journal, code: state, reason: reason)
        }
    }
}
