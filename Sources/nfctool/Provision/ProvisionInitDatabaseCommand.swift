// nfctool provision init-db: creates the tables for journals in a database — Docs/Stations.md

import ArgumentParser
import PostgreSQLJournal
import Provisioning
import Terminal

struct ProvisionInitDatabaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "init-db",
        abstract: "Prepare a PostgreSQL database for plans that many stations work on.",
        discussion: """
            Creates the schema nfctool and two roles: nfctool_station for logins of stations, and nfctool_reader for \
            logins that only see the progress of plans. Existing tables and roles are kept. After that, create the \
            logins in psql:

              CREATE ROLE desks LOGIN PASSWORD '…' IN ROLE nfctool_station;

              nfctool provision init-db postgresql://admin@db.example.com/shop
            """)

    @Argument(help: ArgumentHelp("The database: postgresql://USER@HOST/DATABASE.", valueName: "uri"))
    var database: String

    @OptionGroup(title: HelpText.shared) var output: PrintOptions

    func run() throws {
        let server = PlanServer(try ServerAddress(database))
        try server.prepare()
        if output.json {
            try JSONLine.print(PreparedReport(database: server.address.name))
        } else {
            StandardOutput.printSentences("\(TerminalText.escaped(server.address.name)) is prepared for plans.")
        }
    }
}

private struct PreparedReport: Encodable {
    let schema = 1
    let event = "databasePrepared"
    let database: String
}
