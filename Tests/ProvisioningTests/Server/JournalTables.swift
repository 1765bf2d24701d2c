// A database with the tables of journals, for one test

import PostgreSQLJournal
import PostgreSQLServer

enum JournalTables {
    static func new() throws -> String {
        let server = try PostgreSQLServer.shared.get()
        let database = try server.newDatabase()
        try Self.server(database).prepare()
        return database
    }

    static func server(_ database: String, user: String = "postgres") throws -> PlanServer {
        PlanServer(try ServerAddress(PostgreSQLServer.shared.get().uri(database, user: user)))
    }
}
