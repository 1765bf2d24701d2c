// The shared parts of the journal tests: a folder, rows, tags, and a process that works with a journal

import Foundation
import Glibc
import PostgreSQLJournal
import PostgreSQLServer
import Provisioning

/// The kinds of storage for a journal.
///
/// The same tests apply to both.
enum JournalKind: CaseIterable, Sendable {
    case embedded
    case server
}

final class JournalPlace: Sendable {
    let folder: URL
    let kind: JournalKind
    private let database: String
    var file: URL { folder.appending(path: "plan.csv.journal") }

    init(_ kind: JournalKind = .embedded) throws {
        self.kind = kind
        database = kind == .server ? try JournalTables.new() : ""
        folder = FileManager.default.temporaryDirectory.appending(path: "nfctool-journal-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    /// Returns a store for a journal of this kind.
    func store(station: String = "desk-1") throws -> any JournalStore {
        switch kind {
        case .embedded: JournalFile(file)
        case .server: try JournalTables.server(database).store(plan: "plan.csv", station: station)
        }
    }

    var server: PlanServer { get throws { try JournalTables.server(database) } }
    func server(user: String) throws -> PlanServer { try JournalTables.server(database, user: user) }

    @discardableResult func sql(_ text: String, user: String = "postgres") throws -> String {
        try PostgreSQLServer.shared.get().sql(text, in: database, user: user)
    }

    /// Ends the session of a station on the server, as if the station was killed.
    func endSession(ofStation name: String) throws {
        try sql(
            """
            SELECT pg_terminate_backend(l.pid) FROM pg_locks l JOIN nfctool.station s ON s.id = l.objid::bigint
            WHERE l.locktype = 'advisory' AND s.name = '\(name)'
                AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
            """)
    }

    /// Creates a journal of this kind, which is open for work.
    func begin(rows: Int, plan: PlanIdentity = plan) throws -> any ProvisionJournal {
        try store().create { insert in
            for number in stride(from: 1, through: rows, by: 1) { try insert(Self.row(number)) }
            return plan
        }
    }

    static let plan = PlanIdentity(
        file: "plan.csv", sha256: "AB12", recipe: ["--uri https://example.com/{id}", "--lock"])

    static func row(_ number: Int) -> PlanRow {
        PlanRow(
            number: number, line: number + 1,
            fields: [PlanField(name: "id", value: String(number)), PlanField(name: "note", value: "\"ü\"\n\0\\")])
    }

    func create(rows: Int, plan: PlanIdentity = plan) throws -> EmbeddedJournal {
        try EmbeddedJournal.create(at: file) { insert in
            for number in stride(from: 1, through: rows, by: 1) { try insert(Self.row(number)) }
            return plan
        }
    }

    /// The names of the files in the folder.
    var names: Set<String> { get throws { Set(try FileManager.default.contentsOfDirectory(atPath: folder.path)) } }

    static func tag(_ byte: UInt8, at time: Double = 1_700_000_000.25) -> BoundTag {
        BoundTag(
            uid: [0x04, 0xA1, byte], chip: "NTAG213", reader: "pn532_uart:/dev/ttyUSB0",
            bound: Date(timeIntervalSince1970: time))
    }

    /// Returns the UID of the tag with this number.
    static func uid(_ byte: UInt8) -> [UInt8] { tag(byte).uid }

    static func refused(_ byte: UInt8, quarantined: Bool, at time: Double = 1_700_000_000.5) -> RefusedTag {
        RefusedTag(
            uid: [0x04, 0xA1, byte], chip: "NTAG213", reader: "pn532_uart:/dev/ttyUSB0", cause: "readOnly",
            reason: "It is locked.", isQuarantined: quarantined, time: Date(timeIntervalSince1970: time))
    }

    static let proof = RowProof(messageLength: 60, sha256: "CD34", signature: "genuine", seconds: 0.75)
}

final class JournalChild {
    private let process = Process()
    private let output = Pipe()
    private let input = Pipe()
    private var rest: [UInt8] = []

    init(_ arguments: String...) throws {
        process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
            .appending(path: "JournalChild")
        process.arguments = arguments
        process.standardOutput = output
        process.standardInput = input
        try process.run()
    }

    var identifier: Int32 { process.processIdentifier }

    /// Returns the next complete line, or nil if there are no more.
    func line() -> String? {
        while true {
            if let end = rest.firstIndex(of: UInt8(ascii: "\n")) {
                defer { rest.removeSubrange(...end) }
                return String(decoding: rest[..<end], as: UTF8.self)
            }
            let data = output.fileHandleForReading.availableData
            if data.isEmpty { return nil }
            rest += data
        }
    }

    /// Returns all lines that have not been read yet.
    func lines() -> [String] {
        var lines: [String] = []
        while let line = line() { lines.append(line) }
        return lines
    }

    /// Sends SIGKILL.
    ///
    /// The earlier output can still be read.
    func kill() { Glibc.kill(process.processIdentifier, SIGKILL) }

    func end() {
        try? input.fileHandleForWriting.close()
        process.waitUntilExit()
    }
}
