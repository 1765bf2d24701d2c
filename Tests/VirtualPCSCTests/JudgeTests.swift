// Independent programs with the virtual readers: pcsc_scan, opensc-tool and pyscard

import Foundation
import Testing
import VirtualPCSC
import VirtualPN532

extension OnTheDaemon {
    @Suite struct Judges {
        /// The Python with the checking programs, as Scripts/judges prints it.
        private static let python = ProcessInfo.processInfo.environment["NFCTOOL_TEST_PYTHON"]

        /// Returns the output of a program, or nil if it is not installed.
        ///
        /// The program is killed when `isDone` returns true for its output so far.
        private func run(
            _ command: [String], _ daemon: PrivatePCSCDaemon, input: String = "",
            until isDone: (String) -> Bool = { _ in false }
        ) throws -> String? {
            let process = Process()
            process.executableURL = URL(filePath: "/usr/bin/env")
            process.arguments = command
            process.environment = ["PCSCLITE_CSOCK_NAME": daemon.socketPath, "PATH": "/usr/bin:/bin:/usr/sbin"]
            // Use files, because a program that another test starts at the same time may inherit one end of a pipe.
            let folder = FileManager.default.temporaryDirectory
            let (source, output) = (
                folder.appending(path: UUID().uuidString), folder.appending(path: UUID().uuidString)
            )
            try Data(input.utf8).write(to: source)
            try Data().write(to: output)
            defer { for file in [source, output] { unlink(file.path) } }
            let written = try FileHandle(forWritingTo: output)
            (process.standardInput, process.standardOutput) = (try FileHandle(forReadingFrom: source), written)
            process.standardError = written
            try process.run()
            let start = ContinuousClock.now
            while process.isRunning {
                if isDone(try String(contentsOf: output, encoding: .utf8)) || .now - start > .seconds(30) {
                    kill(process.processIdentifier, SIGKILL)
                    break
                }
                usleep(10_000)
            }
            process.waitUntilExit()
            let text = String(decoding: try Data(contentsOf: output), as: UTF8.self)
            // env exits with 127 if there is no such program.
            return process.terminationStatus == 127 ? nil : text
        }

        @Test(arguments: PCSCReaderModel.all.filter { $0.technologies.contains(.iso15693) })
        func pcscScanSeesAnISO15693Tag(model: PCSCReaderModel) throws {
            let desk = try Desk(model, VirtualISO15693Tag(chip: .tagItHFI))
            defer { desk.close() }
            let atr = "3B 8F 80 01 80 4F 0C A0 00 00 03 06 0B 00 12 00 00 00 00 71"
            guard let text = try run(["stdbuf", "-oL", "pcsc_scan"], desk.daemon, until: { $0.contains(atr) }) else {
                return
            }
            #expect(text.contains(desk.name))
            #expect(text.contains("Card inserted"))
            #expect(text.contains(atr))
        }

        @Test func openscToolListsTheReaderAndSendsAPDUs() throws {
            let desk = try Desk(.acr1552u, VirtualISO15693Tag(chip: .icodeSLIX2))
            defer { desk.close() }
            guard let list = try run(["opensc-tool", "-l"], desk.daemon) else { return }
            #expect(list.contains(desk.name))
            let text = try #require(
                try run(
                    ["opensc-tool", "-r", desk.name, "-s", "FF:CA:00:00:00", "-s", "FF:FB:00:00:02:20:00"], desk.daemon)
            )
            #expect(text.contains("01 00 57 57 08 01 04 E0"))
            #expect(text.contains("SW1=0x90, SW2=0x00"))
        }

        @Test(.enabled(if: python != nil)) func pyscardWritesAndReads() throws {
            let tag = VirtualISO15693Tag(chip: .icodeSLIX2)
            let desk = try Desk(.acr1552u, tag)
            defer { desk.close() }
            let script = """
                from smartcard.System import readers
                from smartcard.util import toHexString
                reader = [r for r in readers() if "PICC" in str(r)][0]
                c = reader.createConnection()
                c.connect()
                print(toHexString(c.getATR()))
                for apdu in ([0xFF,0xCA,0,0,0], [0xFF,0xFB,0,0,6,0x21,3,1,2,3,4], [0xFF,0xFB,0,0,2,0x20,3]):
                    data, sw1, sw2 = c.transmit(apdu)
                    print(toHexString(data), "%02X%02X" % (sw1, sw2))
                c.disconnect()
                """
            let text = try #require(try run([Self.python ?? "python3", "-"], desk.daemon, input: script))
            #expect(
                text == """
                    3B 8F 80 01 80 4F 0C A0 00 00 03 06 0B 00 14 00 00 00 00 77
                    01 00 57 57 08 01 04 E0 9000
                     9000
                    01 02 03 04 9000

                    """)
            #expect(Array(tag.contents[12..<16]) == [1, 2, 3, 4])
        }

        @Test(.enabled(if: python != nil)) func pyscardSeesTagsComeAndGo() throws {
            let desk = try Desk()
            defer { desk.close() }
            let script = """
                import time
                from smartcard.CardMonitoring import CardMonitor, CardObserver
                class Observer(CardObserver):
                    def update(self, observable, changes):
                        for card in changes[0]: print("came", flush=True)
                        for card in changes[1]: print("left", flush=True)
                monitor, observer = CardMonitor(), Observer()
                monitor.addObserver(observer)
                print("ready", flush=True)
                time.sleep(60)
                """
            var (isPlaced, isRemoved) = (false, false)
            let text = try run([Self.python ?? "python3", "-"], desk.daemon, input: script) { text in
                if !isPlaced, text.contains("ready\n") {
                    isPlaced = true
                    desk.reader.place(VirtualISO15693Tag(chip: .icodeSLIX2))
                }
                if !isRemoved, text.contains("came\n") {
                    isRemoved = true
                    desk.reader.remove()
                }
                return text.contains("left\n")
            }
            #expect(text == "ready\ncame\nleft\n")
        }

        @Test func nothingStaysWhenTheProgramIsKilled() throws {
            let process = Process()
            process.executableURL = URL(filePath: CommandLine.arguments[0]).deletingLastPathComponent()
                .appending(path: "PCSCDaemonChild")
            let output = Pipe()
            process.standardOutput = output
            try process.run()
            // If the process survived a failure of this test, it would keep the pipes of the test run open.
            defer { if process.isRunning { kill(process.processIdentifier, SIGKILL) } }
            var text = ""
            while !text.hasSuffix("\n") {
                text += String(decoding: output.fileHandleForReading.availableData, as: UTF8.self)
            }
            let folder = String(text.dropLast("/pcscd.comm\n".count))
            #expect(access(folder, F_OK) == 0)
            let link = "/tmp/nfctool-pcscd-\(process.processIdentifier).comm"
            #expect(access(link, F_OK) == 0)
            var found: pid_t?
            try wait {
                found = try findDaemon(in: folder)
                return found != nil
            }
            let daemon = try #require(found)
            kill(process.processIdentifier, SIGKILL)
            process.waitUntilExit()
            try wait { access(folder, F_OK) != 0 && kill(daemon, 0) != 0 }
            var status = stat()
            #expect(lstat(link, &status) != 0)
        }

        /// Returns the process of the pcscd with this directory.
        private func findDaemon(in folder: String) throws -> pid_t? {
            try FileManager.default.contentsOfDirectory(atPath: "/proc").compactMap(pid_t.init).first { process in
                let variables = try? Data(contentsOf: URL(filePath: "/proc/\(process)/environ"))
                return String(decoding: variables ?? Data(), as: UTF8.self).contains("NFCTOOL_PCSCD=\(folder)\0")
            }
        }
    }
}
