// doctor and readers, on a copy of a system in a folder

import Foundation
import Testing

extension BuiltBinary {
    @Suite struct DoctorCommandTests {
        /// Runs a shell line in a folder that contains a copy of a system in `root`.
        private func run(
            _ line: String, _ prepare: (SystemTree) throws -> Void = { _ in },
            then check: (Outcome, String) throws -> Void
        ) async throws {
            try await Tool.withFolder { folder in
                try prepare(try SystemTree(folder + "/root"))
                let outcome = try await Tool.shell(
                    "export LC_ALL=C.UTF-8 NFCTOOL_SYSTEM_ROOT=$PWD/root; \(line)", in: folder)
                try check(outcome, folder)
            }
        }

        private func claimed(_ tree: SystemTree) throws {
            try tree.plugACR122()
            try tree.bindKernelDriver()
        }

        @Test func theKernelsDriverIsNamedWithItsCommand() async throws {
            try await run("nfctool doctor", claimed) { outcome, _ in
                #expect(outcome.status == 69)
                #expect(outcome.output.contains("✘ Kernel driver  the kernel's pn533_usb has claimed it"))
                #expect(outcome.output.contains("\n    " + (geteuid() == 0 ? "" : "sudo ") + "modprobe -r pn533_usb\n"))
                #expect(
                    outcome.errors.hasPrefix(
                        "nfctool: The reader usb:1-2 cannot be used: the kernel's pn533_usb has claimed it."))
            }
        }

        @Test func otherLocalesGetOtherMarks() async throws {
            try await run("LC_ALL=C nfctool doctor", claimed) { outcome, _ in
                #expect(outcome.output.utf8.allSatisfy { $0 < 0x80 })
                #expect(outcome.output.contains("X  Kernel driver"))
            }
        }

        @Test func scriptsGetOneObjectAndTheErrorOnStderr() async throws {
            try await run("nfctool doctor --json", claimed) { outcome, _ in
                let object = try outcome.json()
                #expect(outcome.output.split(separator: "\n").count == 1)
                #expect(object["healthy"] as? Bool == false)
                #expect(object["error"] as? String == "readerBusy")
                #expect((object["fix"] as? [String])?.count == 2)
                #expect(try outcome.failure()["error"] as? String == "readerBusy")
                #expect(outcome.status == 69)
            }
        }

        @Test func aVirtualReaderIsHealthy() async throws {
            try await run("nfctool doctor --reader virtual --json") { outcome, _ in
                let checks = try #require(try outcome.json()["checks"] as? [[String: Any]])
                #expect(outcome.status == 0)
                #expect(checks.contains { $0["name"] as? String == "opens" && $0["status"] as? String == "ok" })
                #expect(checks.contains { (($0["facts"] as? [String: Any])?["chip"] as? String) == "PN532 v1.6" })
            }
        }

        @Test func aMuteReaderIsToldWithin74() async throws {
            try await run("nfctool doctor --reader 'virtual:?mute=0'") { outcome, _ in
                #expect(outcome.status == 74)
                #expect(outcome.output.contains("✘ Opening  it does not answer"))
            }
        }

        @Test func fixAloneChangesNothing() async throws {
            try await run("nfctool doctor --fix", claimed) { outcome, folder in
                #expect(outcome.status == 69)
                #expect(outcome.output.contains("`nfctool doctor --fix --yes` runs them:"))
                #expect(FileManager.default.fileExists(atPath: folder + "/root/sys/bus/usb/devices/1-2/1-2:1.0/driver"))
            }
        }

        /// Programs with the same names replace those that would change this machine.
        private static let standIns = """
            mkdir bin
            printf '#!/bin/sh\\nshift 0\\nexec "$@"\\n' > bin/sudo
            printf '#!/bin/sh\\necho "modprobe $*" >> "$PWD/log"\\nrm root/sys/bus/usb/devices/1-2/1-2:1.0/driver\\n' > bin/modprobe
            printf '#!/bin/sh\\necho "tee $*" >> "$PWD/log"\\ncat >> "$PWD/log"\\n' > bin/tee
            chmod +x bin/*; export PATH=$PWD/bin:$PATH
            """

        @Test func fixWithYesShowsRunsAndLooksAgain() async throws {
            try await run(Self.standIns + "\nnfctool doctor --fix --yes", claimed) { outcome, folder in
                let log = try String(contentsOfFile: folder + "/log", encoding: .utf8)
                #expect(log.hasPrefix("modprobe -r pn533_usb\ntee /etc/modprobe.d/nfctool.conf\n"))
                #expect(log.hasSuffix("blacklist nfc\nblacklist pn533\nblacklist pn533_usb\n"))
                let shown = try #require(outcome.output.range(of: "$ "))
                #expect(outcome.output[..<shown.lowerBound].contains("✘ Kernel driver"))
                #expect(outcome.output[shown.upperBound...].contains("✔ Kernel driver  none has claimed it"))
                #expect(outcome.output.contains("To undo it:"))
            }
        }

        @Test func aCommandThatFailsIsToldAndTheNextRemedyRuns() async throws {
            let line =
                Self.standIns + "\nprintf '#!/bin/sh\\nexit 3\\n' > bin/modprobe; nfctool doctor --fix --yes --json"
            try await run(line, claimed) { outcome, folder in
                let ran = try #require(try outcome.json()["ran"] as? [[String: Any]])
                #expect(ran.count == 2)
                #expect(ran.first?["failure"] as? String == "it ended with exit code 3")
                #expect(ran.last?["failure"] == nil)
                #expect(outcome.status == 69)
            }
        }

        /// Each command ends before anything could be written to its stdin.
        ///
        /// This is a race, so the test repeats it twelve times.
        @Test func aCommandThatDoesNotReadItsInputDoesNotEndTheDoctor() async throws {
            let line =
                Self.standIns
                + "\nprintf '#!/bin/sh\\nexit 3\\n' | tee bin/sudo bin/modprobe > bin/tee.new; mv bin/tee.new bin/tee; "
                + "chmod +x bin/*; for _ in 1 2 3 4 5 6 7 8 9 10 11 12; do nfctool doctor --fix --yes > /dev/null 2>&1; "
                + "echo $?; done"
            try await run(line, claimed) { outcome, _ in
                #expect(outcome.output == String(repeating: "69\n", count: 12))
            }
        }

        @Test func theBundleHoldsNoSerialNumberAndReplacesNothing() async throws {
            let line =
                "export HOME=/home/a-secret-name; nfctool doctor --bundle report.md; nfctool doctor --bundle report.md"
            try await run(line, claimed) { outcome, folder in
                let text = try String(contentsOfFile: folder + "/report.md", encoding: .utf8)
                #expect(text.contains("# nfctool doctor"))
                #expect(text.contains("072f:2200 ACS ACR122U"))
                #expect(!text.contains("SN-4711-XYZ"))
                #expect(!text.contains("a-secret-name"))
                #expect(outcome.status == 64)
                #expect(outcome.errors.contains("report.md already exists. Nothing was overwritten."))
            }
        }

        @Test func theBundleHasLibnfcsLogOfAnOpeningWithoutTheTag() async throws {
            try await run("nfctool doctor --reader virtual --bundle report.md") { outcome, folder in
                let text = try String(contentsOfFile: folder + "/report.md", encoding: .utf8)
                #expect(outcome.status == 0)
                #expect(text.contains("GetFirmwareVersion"))
                #expect(!text.lowercased().contains("44 00 07 04"))
            }
        }

        @Test func yesWithoutFixIsRefused() async throws {
            #expect(try await Tool.run("doctor", "--yes").status == 64)
            #expect(try await Tool.run("doctor", "--print", "rules", "--fix").status == 64)
        }

        @Test func everyCommandNamesTheCause() async throws {
            for command in ["read", "scan", "info", "write --text hi"] {
                try await run("nfctool \(command) --reader acr122_usb:001:004", claimed) { outcome, _ in
                    #expect(outcome.status == 69)
                    #expect(outcome.errors.contains("The kernel driver pn533_usb has claimed the reader"))
                    #expect(outcome.errors.contains("modprobe -r pn533_usb"))
                }
            }
        }

        @Test func aReaderThatOnlyPCSCDrivesIsNamedByEveryCommandThatNamesItsPort() async throws {
            let plug = { (tree: SystemTree) in
                try tree.plugACR122()
                try tree.file("sys/bus/usb/devices/1-2/idProduct", "223b\n")
            }
            for command in ["read", "scan", "info", "write --text hi"] {
                try await run("nfctool \(command) --reader usb:1-2", plug) { outcome, _ in
                    #expect(outcome.status == 69)
                    #expect(outcome.errors.contains("The ACS ACR1252U is a PC/SC reader"))
                }
            }
        }

        @Test func readersAreListedWithTheirState() async throws {
            try await run("nfctool readers; nfctool readers --json", claimed) { outcome, _ in
                #expect(outcome.status == 0)
                #expect(
                    outcome.output.hasPrefix("✘ usb:1-2  ACS ACR122U  busy: the kernel's pn533_usb has claimed it\n"))
                let readers = try #require(try outcome.json(line: 1)["readers"] as? [[String: Any]])
                #expect(readers.first?["reader"] as? String == "usb:1-2")
                #expect(readers.first?["connection"] as? String == "acr122_usb:001:004")
                #expect(readers.first?["state"] as? String == "busy")
            }
        }

        @Test func readersHaveTheirLabels() async throws {
            let line =
                "mkdir -p root/cfg/nfctool; echo 'desk = usb:1-2' > root/cfg/nfctool/readers; XDG_CONFIG_HOME=/cfg nfctool readers"
            try await run(line, { try $0.plugACR122() }) { outcome, _ in
                #expect(outcome.output == "✔ desk = usb:1-2  ACS ACR122U  ready, acr122_usb:001:004\n")
            }
        }

        @Test func aLabelWhoseReaderIsAwaySaysSo() async throws {
            let line =
                "mkdir -p root/cfg/nfctool; echo 'desk = usb:9-9' > root/cfg/nfctool/readers; XDG_CONFIG_HOME=/cfg nfctool read --reader desk"
            try await run(line, claimed) { outcome, _ in
                #expect(outcome.status == 69)
                #expect(!outcome.errors.contains("To name a reader yourself"), "\(outcome.errors)")
            }
        }

        @Test func aMistakeInTheFileOfLabelsIsTold() async throws {
            let file =
                "mkdir -p root/cfg/nfctool; echo 'desk usb:1-2' > root/cfg/nfctool/readers; export XDG_CONFIG_HOME=/cfg;"
            try await run(file + "nfctool readers", { try $0.plugACR122() }) { outcome, _ in
                #expect(outcome.status == 0)
                #expect(outcome.output.hasPrefix("✔ usb:1-2"))
                #expect(outcome.errors == "nfctool: /cfg/nfctool/readers, line 1: there is no =.\n")
            }
            try await run(file + "nfctool doctor --reader desk", claimed) { outcome, _ in
                #expect(outcome.status == 65)
                #expect(outcome.errors.contains("line 1: there is no =."))
                #expect(outcome.errors.contains("Write lines such as  desk = usb:1-2"))
            }
        }

        @Test func aHealthyReaderNeedsNoFix() async throws {
            try await run("nfctool doctor --reader virtual --fix") { outcome, _ in
                #expect(outcome.status == 0)
                #expect(outcome.output.hasSuffix("There is nothing to fix.\n"))
            }
        }

        @Test func whatIsForHandsIsNotCalledHopeless() async throws {
            try await run("nfctool doctor --reader 'virtual:?mute=0' --fix") { outcome, _ in
                #expect(outcome.status == 74)
                #expect(outcome.output.hasSuffix("--fix cannot do this automatically. Follow the steps above.\n"))
            }
        }

        @Test(arguments: ["desk", "serial:SN-4711-XYZ"]) func aNameLeadsToTheReaderToLookAt(name: String) async throws {
            let line =
                "mkdir -p root/cfg/nfctool; echo 'desk = serial:SN-4711-XYZ' > root/cfg/nfctool/readers; XDG_CONFIG_HOME=/cfg nfctool doctor --reader \(name)"
            try await run(line, claimed) { outcome, _ in
                #expect(outcome.output.contains("✔ Reader         ACS ACR122U on usb:1-2"))
            }
        }

        @Test(arguments: ["desk", "serial:SN-0000"]) func aSerialNumberThatIsAwayIsNotThere(name: String) async throws {
            let line =
                "mkdir -p root/cfg/nfctool; echo 'desk = serial:SN-0000' > root/cfg/nfctool/readers; XDG_CONFIG_HOME=/cfg nfctool doctor --reader \(name)"
            try await run(line, claimed) { outcome, _ in
                #expect(outcome.status == 69)
                #expect(outcome.output.contains("nothing is plugged in with serial:SN-0000"))
                #expect(outcome.output.contains("No reader that nfctool can use has this serial number."))
            }
        }

        @Test func aWatchTellsWhatComesAndGoes() async throws {
            try await Tool.withFolder { folder in
                let tree = try SystemTree(folder + "/root")
                let line = """
                    mkdir -p root/cfg/nfctool; echo 'desk = usb:1-2' > root/cfg/nfctool/readers
                    export NFCTOOL_SYSTEM_ROOT=$PWD/root XDG_CONFIG_HOME=/cfg; exec nfctool readers --watch --json
                    """
                let outcome = try await Tool.startShell(line, in: folder) { tool in
                    _ = try await tool.line { $0.contains("\"readers\":[]") }
                    try tree.plugACR122()
                    let arrived = try await tool.line { $0.contains("\"event\":\"arrived\"") }
                    #expect(arrived.contains("\"reader\":\"usb:1-2\""))
                    try FileManager.default.removeItem(atPath: folder + "/root/sys/bus/usb/devices/1-2")
                    let left = try await tool.line { $0.contains("\"event\":\"left\"") }
                    #expect(left.contains("\"label\":\"desk\""))
                    tool.send(SIGINT)
                }
                #expect(outcome.status == 130)
            }
        }
    }
}
