// Independent PC/SC programs on `nfctool simulate --pcsc`

import Foundation
import Testing
import VirtualPCSC

extension BuiltBinary {
    @Suite(.enabled(if: PrivatePCSCDaemon.isAvailable)) struct PCSCSimulatorTests {
        @Test(arguments: PCSCReaderModel.all.map(\.id)) func openscToolListsEachModel(model: String) async throws {
            let outcome = try await Tool.start(["simulate", "--pcsc", model, "--tag", "ntag213"]) { simulator in
                let variable = try await simulator.line { $0.hasPrefix("PCSCLITE_CSOCK_NAME=") }
                let list = try await Tool.shell("env \(variable) opensc-tool -l || test $? = 127")
                let name = try #require(PCSCReaderModel(id: model)).driverName
                #expect(list.output.isEmpty || list.output.contains(name))
                simulator.send(SIGTERM)
            }
            #expect(outcome.status == 0)
        }

        @Test func theLinkLeadsToTheSocketAndGoesWithIt() async throws {
            try await Tool.withFolder { folder in
                let outcome = try await Tool.shell(
                    """
                    nfctool simulate --pcsc acr1552u --tag icode-slix2 --symlink pcscd.comm > line & \
                    until test -e pcscd.comm && test -s line; do sleep 0.02; done; \
                    test -S pcscd.comm && kill $!; wait $!; ls --ignore='*.profraw'
                    """, in: folder)
                #expect(outcome.output == "line\n")
            }
        }

        @Test func readersAreUnpluggedAndTheDaemonKilledOnCommand() async throws {
            try await Tool.withFolder { folder in
                let arguments = [
                    "simulate", "--pcsc", "acr1552u=icode-slix2-ndef", "--pcsc", "acr122u=ntag213", "--control", "s",
                ]
                let outcome = try await Tool.start(arguments, in: folder) { simulator in
                    let variable = try await simulator.line { $0.hasPrefix("PCSCLITE_CSOCK_NAME=") }
                    let lines = [
                        "readers", "list", "2 list", "2 place ntag215", "2 list", "2 remove 0410571F000180", "2 list",
                        "2 place ntag215*2", "2 place ntag215", "2 list", "fault pull=2:empty", "fault", "2 unplug",
                        "unplug", "plug", "kill", "restart",
                        "3 list", "plug in", "0 plug", "remove", "list",
                    ]
                    let script = """
                        import socket, sys
                        link = socket.socket(socket.AF_UNIX); link.connect("s")
                        file = link.makefile("rw")
                        for line in sys.argv[1:]: file.write(line + "\\n"); file.flush(); print(file.readline(), end="")
                        """
                    let words = lines.map { "'\($0)'" }.joined(separator: " ")
                    let answers = try await Tool.shell("python3 -c '\(script)' \(words)", in: folder)
                    #expect(
                        answers.output.split(separator: "\n").map(String.init) == [
                            "ok ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader PICC]; ACS ACR122U PICC Interface",
                            "ok E004010857570001", "ok 0410571F000180", "ok", "ok 0410571F000180 0411571F800180", "ok",
                            "ok 0411571F800180", "ok", "ok",
                            "ok 0411571F800180 0411571F800280 0411571F800380 0411571F800480", "ok",
                            "ok", "ok", "ok", "ok", "ok", "ok", "error There is no reader 3.",
                            #"error "plug in" is not a command. Commands: readers, place, remove, list, fault, "#
                                + "unplug, plug, kill, restart.",
                            "error There is no reader 0.", "ok", "ok",
                        ], "\(answers.output) \(answers.errors)")
                    let list = try await Tool.shell("env \(variable) nfctool readers --json", in: folder)
                    #expect(list.output.contains("ACR1552") && !list.output.contains("ACR122U"), "\(list.output)")
                    simulator.send(SIGTERM)
                }
                #expect(outcome.status == 0)
            }
        }

        @Test("A tag in a file can be placed together with new tags, but only once") func fileAmongTags() async throws {
            try await Tool.withFolder { folder in
                let arguments = ["simulate", "--pcsc", "acr122u=ntag213", "--control", "s"]
                let outcome = try await Tool.start(arguments, in: folder) { simulator in
                    _ = try await simulator.line { $0.hasPrefix("PCSCLITE_CSOCK_NAME=") }
                    let script = """
                        import socket
                        link = socket.socket(socket.AF_UNIX); link.connect("s")
                        file = link.makefile("rw")
                        place = "place t.nfc,ntag213?kind=ntag213"
                        for line in [place, place, "list"]:
                            file.write(line + "\\n"); file.flush(); print(file.readline(), end="")
                        """
                    let answers = try await Tool.shell("python3 -c '\(script)'", in: folder)
                    let lines = answers.output.split(separator: "\n")
                    try #require(lines.count == 3, "\(answers.output) \(answers.errors)")
                    #expect(lines[0] == "ok")
                    #expect(lines[1].hasPrefix("error The tag file t.nfc is in use by "), "\(lines[1])")
                    // The UID of a new file is random.
                    let derived = lines[2].split(separator: " ").filter { $0.hasPrefix("0410571F") }
                    #expect(derived == ["0410571F000180", "0410571F800180"], "\(lines[2])")
                    simulator.send(SIGTERM)
                }
                #expect(outcome.status == 0)
            }
        }

        @Test func anUnknownModelIsRefusedWithAllThatThereAre() async throws {
            let outcome = try await Tool.shell("nfctool simulate --pcsc acr1")
            #expect(outcome.status == 64)
            #expect(outcome.errors.contains("acr1552u, utrust3721f"))
        }
    }
}
