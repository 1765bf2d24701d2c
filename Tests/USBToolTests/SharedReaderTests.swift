// Two programs on one USB reader — flock(2); Linux, USBDEVFS_RESET

import Foundation
import Testing
import USBBus
import VirtualPN532

extension USBTool {
    @Suite struct SharedReaderTests {
        /// libnfc resets an ACR122U before it claims the reader.
        ///
        /// Without nfctool's own lock, the second program would corrupt the first one's frames.
        @Test(arguments: EmulatedReader.Model.allCases) func ofTwoToolsStartedAtOneMomentTheFirstIsNotDisturbed(
            model: EmulatedReader.Model
        ) async throws {
            let script = """
                cd "$HOME"
                for round in 1 2 3 4; do
                    nfctool scan --json > a 2>&1 & A=$!
                    nfctool scan --json > b 2>&1 & B=$!
                    # When one scan is refused and the other has found the tag, the other is ended.
                    until cat a b | grep -q 'in use by' && cat a b | grep -q '"event":"tag"'; do sleep 0.05; done
                    kill -TERM $A $B 2> /dev/null
                    wait $A; a=$?; wait $B; b=$?
                    echo "$A $a $B $b" >> rounds; cat a b > "log$round"
                done
                """
            let folder = FileManager.default.temporaryDirectory.appending(
                path: "shared-\(UUID().uuidString.prefix(8))")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            defer { try? FileManager.default.removeItem(at: folder) }
            let reader = try EmulatedReader(model, tags: [VirtualTagKind.ntag213.make()])
            let bus = USBBus([reader], environment: ["HOME": folder.path, "XDG_STATE_HOME": folder.path])
            let outcome = try await bus.run(["/bin/sh", "-c", script])
            #expect(outcome.status == 0, "\(outcome.errors)")
            let text = { (name: String) in try String(contentsOf: folder.appending(path: name), encoding: .utf8) }
            let rounds = try text("rounds").split(separator: "\n")
            #expect(rounds.count == 4)
            for (index, round) in rounds.enumerated() {
                let words = round.split(separator: " ").map(String.init)
                let log = try text("log\(index + 1)")
                #expect(Set([words[1], words[3]]) == ["130", "69"], "\(round) \(log)")
                let winner = words[1] == "130" ? words[0] : words[2]
                #expect(log.contains("in use by nfctool (process \(winner))"), "\(round) \(log)")
                #expect(!log.contains("outside this system"), "\(log)")
                #expect(log.contains(#""event":"tag""#), "\(log)")
                #expect(!log.contains("readerLost"), "\(log)")
            }
        }

        /// Resets the reader like libnfc until it gets the claim, and keeps the claim for a while.
        private static let thief = """
            import time, usb1
            context = usb1.USBContext()
            context.open()
            readers = [device for device in context.getDeviceList(skip_on_error=True) if device.getVendorID() == 0x072f]
            handle = readers[0].open()
            for attempt in range(1000):
                handle.resetDevice()
                time.sleep(attempt % 3 * 0.04)
                try: handle.claimInterface(0)
                except usb1.USBErrorBusy: continue
                break
            time.sleep(3)
            """

        /// The other program does not use the lock.
        @Test func aProgramThatTakesTheReaderAwayIsNamedAndTheScanGoesOn() async throws {
            let variable = ProcessInfo.processInfo.environment["NFCTOOL_TEST_PYTHON"]
            let python = try #require(variable, "run Scripts/test")
            let reader = try EmulatedReader(.acr122u, tags: [VirtualTagKind.ntag213.make()])
            let bus = USBBus([reader], environment: ["THIEF": Self.thief], timeLimit: 60)
            let outcome = try await bus.run([
                "/bin/sh", "-c",
                """
                out=$(mktemp); trap 'rm $out' EXIT
                nfctool scan --json --count 2 --timeout 25s > $out & scan=$!
                until grep -q '"event":"tag"' $out; do sleep 0.05; done
                '\(python)' -c "$THIEF"; wait $scan; status=$?; cat $out; exit $status
                """,
            ])
            #expect(outcome.status == 0, "\(outcome.output) \(outcome.errors)")
            let lost = try #require(outcome.events.first { $0["event"] as? String == "readerLost" })
            let message = try #require(lost["message"] as? String)
            #expect(message.contains("python3 (process ") && message.contains(" took it away"), "\(message)")
            #expect(outcome.events.count { $0["event"] as? String == "tag" } == 2, "\(outcome.output)")
        }
    }
}
