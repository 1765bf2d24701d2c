// Passwords in a plan: in no report about a run, and never on a tag by mistake — Docs/Provisioning.md

import Foundation
import Testing

extension BuiltBinaryProvision {
    @Suite struct ReportSecretTests {
        @Test func aReportAndAnExportHideNetworkPasswords() async throws {
            try await ProvisionRun.with { run in
                try "wifi,password\nssid=Guests;password=longenough1,1A2B3C4D\n"
                    .write(toFile: run.folder + "/v.csv", atomically: true, encoding: .utf8)
                let outcome = try await Tool.shell(
                    """
                    nfctool provision v.csv --timeout 1s --reader virtual:ntag213 --report v.html --report v.csv.csv
                    nfctool provision export v.jsonl v2.csv --plan v.csv
                    grep -c -e longenough1 -e 1A2B3C4D v.html v.csv.csv v.jsonl v2.csv
                    nfctool provision export open.csv open.html --plan v.csv --show-secrets
                    grep -c longenough1 open.csv open.html
                    stat -c '%n %a' v.html open.csv open.html
                    """, in: run.folder)
                let lines = outcome.output.split(separator: "\n").map(String.init)
                for name in ["v.html", "v.csv.csv", "v.jsonl", "v2.csv"] { #expect(lines.contains(name + ":0")) }
                #expect(lines.contains("open.csv:1") && lines.contains("open.html:1"), "\(lines)")
                #expect(lines.suffix(3) == ["v.html 644", "open.csv 600", "open.html 600"], "\(outcome.errors)")
            }
        }

        /// Without an error for the unused column, the tags would get the password of the run.
        @Test(arguments: ["passwort", "pwd", "Kennwort"], ["--protect", ""])
        func aColumnThatIsMeantToBeThePasswordIsNotPassedOver(column: String, option: String) async throws {
            try await ProvisionRun.with { run in
                try "id,protect,\(column)\n1,\(option.isEmpty ? "yes" : ""),1A2B3C4D\n"
                    .write(toFile: run.folder + "/v.csv", atomically: true, encoding: .utf8)
                let line = "provision v.csv --text '{id}' --timeout 500ms --reader virtual:ntag213"
                let refused = try await Tool.shell(
                    "NFCTOOL_PASSWORD=11223344 nfctool \(line) \(option)", in: run.folder)
                #expect(refused.status == 65)
                #expect(
                    refused.errors.contains(
                        "Column \(column): The column is not used, so the tags would get a different password."),
                    "\(refused.errors)")
                #expect(!FileManager.default.fileExists(atPath: run.folder + "/v.csv.journal"))
                // If no tag is protected, the column belongs to the plan's owner.
                guard option == "--protect" else { return }
                #expect(try await Tool.shell("nfctool \(line)", in: run.folder).status == 0)
            }
        }
    }
}
