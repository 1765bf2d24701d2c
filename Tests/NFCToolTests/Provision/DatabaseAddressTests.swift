// Addresses of databases that cannot be used, and the advice — Docs/Stations.md

import PostgreSQLServer
import Testing

extension BuiltBinaryProvision {
    @Suite struct DatabaseAddressTests {
        @Test func addressesAndNamesAreRefusedInPlainWords() async throws {
            let file = try await Tool.run("provision", "tags.csv", "--uri", "https://example.com", "--station", "desk")
            #expect(file.status == 64 && file.errors.contains("--journal postgresql://"), "\(file.errors)")
            let password = try await Tool.run(
                "provision", "status", "--journal", "postgresql://me:s3cret@localhost/shop")
            #expect(password.status == 64)
            #expect(password.errors.contains("~/.pgpass") && !password.errors.contains("s3cret"))
            let away = try await Tool.run("provision", "status", "--journal", "postgresql://me@/shop?host=/tmp&port=1")
            #expect(away.status == 75 && away.errors.contains("Cannot reach the database"), "\(away.errors)")
            let folder = try await Tool.run("provision", "status", "--journal", "postgresql://me@/shop?host=/nowhere")
            #expect(folder.status == 64 && folder.errors.contains("no folder /nowhere"), "\(folder.errors)")
            let empty = try PostgreSQLServer.shared.get()
            let missing = try await Tool.run("provision", "status", "--journal", empty.uri("no_such_database"))
            #expect(missing.status == 64 && missing.errors.contains("createdb"), "\(missing.errors)")
            let unprepared = try await Tool.run("provision", "status", "--journal", empty.uri(empty.newDatabase()))
            #expect(
                unprepared.status == 65 && unprepared.errors.contains("nfctool provision init-db"),
                "\(unprepared.errors)")
        }
    }
}
