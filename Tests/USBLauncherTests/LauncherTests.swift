// The launcher itself: exit codes, signals and time limits, plugging in and unplugging, and the display of an ACR122U

import Foundation
import Testing
import USBBus
import VirtualPN532

extension OnTheBus {
    @Suite struct LauncherTests {
        @Test(
            arguments: [
                (["sh", "-c", "exit 7"], 7), (["sh", "-c", "kill -9 $$"], 137), (["no-such-program"], 127),
            ] as [([String], Int32)])
        func itEndsAsTheCommandDoes(command: [String], status: Int32) async throws {
            #expect(try await USBBus.one().run(command).status == status)
        }

        @Test func aCommandThatTakesTooLongIsEnded() async throws {
            let outcome = try await USBBus.one(timeLimit: 1).run(["sleep", "100"])
            #expect(outcome.status == 124)
        }

        @Test(arguments: [SIGTERM, SIGINT])
        func signalsReachTheCommand(signal: Int32) async throws {
            let script = "trap 'echo caught; exit 5' TERM INT; echo ready; while :; do sleep 0.05; done"
            let outcome = try await USBBus.one().run(["bash", "-c", script]) { program in
                try await program.wait(for: "the trap") { program.output.contains("ready") }
                program.send(signal)
            }
            #expect(outcome.output == "ready\ncaught\n")
            #expect(outcome.status == 5)
        }

        @Test func whatTheCommandLeavesRunningIsEnded() async throws {
            let outcome = try await USBBus.one().run(["sh", "-c", "sleep 100 & echo $!; exit 3"])
            #expect(outcome.status == 3)
            let process = try #require(Int32(outcome.output.trimmingCharacters(in: .whitespacesAndNewlines)))
            #expect(kill(process, 0) == -1)
        }

        @Test func wrongWordsAreRefused() async throws {
            #expect(try await USBBus.one(faults: ["nonsense"]).run(["true"]).status == 64)
            #expect(try await USBBus.one(faults: ["claim=EWHAT"]).run(["true"]).status == 64)
            _ = try await USBBus.one().run(["sleep", "1"]) { program in
                #expect(throws: USBBusError.self) { try program.control("jump 0") }
                #expect(throws: USBBusError.self) { try program.control("plug 4") }
                #expect(throws: USBBusError.self) { try program.plug() }
            }
        }

        @Test func aHundredPluggingsAreEachSeenByLibusb() async throws {
            let script = """
                events = 0
                def note(context, device, event):
                    global events
                    events += 1
                    print(event, device.getDeviceAddress(), *device.getPortNumberList())
                context.hotplugRegisterCallback(note, flags=0)
                print('ready')
                while events < 200: context.handleEventsTimeout(0.05)
                """
            let outcome = try await USBBus([EmulatedReader(.acr122u, port: "1-2.3")]).run(PythonUSB.command(script)) {
                program in
                try await program.wait(for: "the callback") { program.output.contains("ready") }
                for cycle in 1...100 {
                    try program.unplug()
                    try program.plug()
                    // Like with a real kernel, a program that is too slow loses messages.
                    try await program.wait(for: "cycle \(cycle)") {
                        program.output.split(separator: "\n").count > cycle * 2
                    }
                }
            }
            let lines = outcome.output.split(separator: "\n").dropFirst()
            // 1 is ARRIVED, and 2 is LEFT. The root hub has number 1, and the hub number 2.
            let expected = (0..<100).flatMap { ["2 \($0 + 3) 2 3", "1 \($0 + 4) 2 3"] }
            #expect(lines.map(String.init) == expected, "\(outcome)")
        }

        @Test func aStoppedProgramDoesNotStopTheBus() async throws {
            let script = """
                import os, signal
                context.hotplugRegisterCallback(lambda *arguments: None, flags=0)
                print('ready')
                os.kill(os.getpid(), signal.SIGSTOP)
                print(len(context.getDeviceList()))
                """
            let outcome = try await USBBus.one().run(PythonUSB.command(script)) { program in
                try await program.wait(for: "the stop") { program.output.contains("ready") }
                for _ in 1...20 {
                    try program.unplug()
                    try program.plug()
                }
                program.send(SIGCONT)
            }
            #expect(outcome.output == "ready\n2\n", "\(outcome)")
        }

        @Test func theLogHasWhatAnACR122UShowed() async throws {
            let script = """
                handle = reader().open()
                handle.claimInterface(0)
                # Buzzer off on detection; green on, red off, two beeps; red alone.
                print(transfer(handle, '6F 05 00 00 00 00 01 00 00 00 FF 00 52 00 00'))
                print(transfer(handle, '6B 09 00 00 00 00 02 00 00 00 FF 00 40 0E 04 01 01 02 01'))
                print(transfer(handle, '6F 09 00 00 00 00 03 00 00 00 FF 00 40 0D 04 00 00 00 00'))
                """
            let outcome = try await USBBus.one().run(PythonUSB.command(script))
            #expect(
                outcome.output.split(separator: "\n") == [
                    "80 02 00 00 00 00 01 00 81 00 90 00", "83 02 00 00 00 00 02 02 81 00 90 02",
                    "80 02 00 00 00 00 03 00 81 00 90 01",
                ], "\(outcome)")
            let log = try #require(outcome.log.first)
            #expect(log.shown == ["FF 00 52 00 00", "FF 00 40 0E 04 01 01 02 01", "FF 00 40 0D 04 00 00 00 00"])
            #expect(log.led == 1)
        }
    }
}
