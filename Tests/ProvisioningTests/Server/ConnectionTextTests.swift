// Messages about failed connections are complete sentences, even if no further attempt can succeed

import Foundation
import PostgreSQLServer
import Provisioning
import Testing

@testable import PostgreSQLJournal

@Suite struct ConnectionTextTests {
    private static let address = Result { try ServerAddress("postgresql://me@a,b/shop") }

    @Test func linesBecomeSentences() {
        let closed = """
            server closed the connection unexpectedly
            \tThis probably means the server terminated abnormally
            \tbefore or while processing the request.

            """
        #expect(
            ConnectionText.sentences(closed)
                == "server closed the connection unexpectedly. This probably means the server terminated abnormally before or while processing the request."
        )
        #expect(ConnectionText.sentences("FATAL:  it ends\n") == "FATAL:  it ends.")
        #expect(ConnectionText.sentences("") == "")
    }

    @Test func aDatabaseThatIsMissingOnAllServersIsMissing() throws {
        let address = try Self.address.get()
        let missing = "connection to server at \"a\", port 5432 failed: FATAL:  database \"shop\" does not exist\n"
        let refused = "connection to server at \"b\", port 5432 failed: Connection refused\n\tIs the server running?\n"
        #expect(ConnectionText.permanentReason(missing, address: address) != nil)
        #expect(ConnectionText.permanentReason(missing + missing, address: address) != nil)
        #expect(ConnectionText.permanentReason(missing + refused, address: address) == nil)
        #expect(ConnectionText.permanentReason(refused, address: address) == nil)
        #expect(ConnectionText.permanentReason("", address: address) == nil)
    }

    @Test func aLoginThatAllServersRefuseIsRefused() throws {
        let prefix = "connection to server at \"a\", port 5432 failed: "
        let refused = prefix + "Connection refused\n\tIs the server running?\n"
        for (text, reason) in [
            ("FATAL:  role \"me\" does not exist", "role \"me\" does not exist."),
            (
                "FATAL:  password authentication failed for user \"me\"",
                "password authentication failed for user \"me\"."
            ),
            ("fe_sendauth: no password supplied", "no password supplied."),
        ] {
            #expect(ConnectionText.loginRefusal(prefix + text + "\n") == reason)
            #expect(ConnectionText.loginRefusal(prefix + text + "\n" + refused) == nil)
        }
        #expect(ConnectionText.loginRefusal(refused) == nil)
        // The directory may be away.
        let directory = "FATAL:  LDAP authentication failed for user \"me\"\n"
        #expect(ConnectionText.loginRefusal(prefix + directory) == nil)
        #expect(ConnectionText.loginRefusal("") == nil)
        let server = PlanServer(try ServerAddress(PostgreSQLServer.shared.get().uri("postgres", user: "no_such_login")))
        let error = #expect(throws: JournalError.self) { try server.onlyPlan() }
        guard case .loginRefused(_, let reason)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(reason.contains("no_such_login"))
    }

    @Test func aDatabaseOrAFolderThatDoesNotExistIsNotAway() throws {
        let server = try PostgreSQLServer.shared.get()
        let database = PlanServer(try ServerAddress(server.uri("no_such_database")))
        let error = #expect(throws: JournalError.self) { try database.onlyPlan() }
        #expect(error?.description.hasSuffix("It does not exist on that server.") == true, "\(error as Any)")
        let folder = PlanServer(try ServerAddress("postgresql://me@/shop?host=/nowhere/at/all"))
        #expect(
            throws: JournalError.noSuchDatabase(
                journal: folder.address.name, reason: "There is no folder /nowhere/at/all with the server's socket.")
        ) { try folder.onlyPlan() }
        // The folder exists, but the server does not. It may start later.
        let away = PlanServer(try ServerAddress("postgresql://me@/shop?host=/tmp&port=1"))
        guard case .away? = #expect(throws: JournalError.self, performing: { try away.onlyPlan() }) else {
            Issue.record("not away")
            return
        }
    }

    /// Several logins have a plan with the same name.
    ///
    /// Each plan is listed with its owner and digest, and is found under that name.
    @Test func plansOfOneNameAreTold() throws {
        let place = try JournalPlace(.server)
        let login = "shop_" + UUID().uuidString.prefix(8).lowercased()
        try place.sql("CREATE ROLE \(login) LOGIN IN ROLE nfctool_station")
        _ = try place.begin(rows: 1)
        _ = try place.server(user: login).store(plan: "plan.csv", station: "a").create { _ in
            PlanIdentity(file: "plan.csv", sha256: String(repeating: "CD", count: 32), recipe: [])
        }
        let server = try place.server
        let known = ["plan.csv of \(login) (SHA-256 CDCDCDCD)", "plan.csv of postgres (SHA-256 AB12)"]
        #expect(throws: JournalError.severalPlans(journal: server.address.name, plan: nil, known: known)) {
            try server.onlyPlan()
        }
        let error = #expect(throws: JournalError.self) { try server.open(plan: "plan.csv") }
        guard case .severalPlans(_, "plan.csv", let told)? = error else {
            Issue.record("\(error as Any)")
            return
        }
        #expect(Set(told) == Set(known))
        #expect(try server.open(plan: "cdcdcdcd").plan.sha256.hasPrefix("CDCD"))
        #expect(try server.open(plan: "plan.csv of postgres").plan.sha256 == "AB12")
    }
}
