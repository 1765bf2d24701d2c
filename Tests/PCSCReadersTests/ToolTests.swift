// nfctool and its reader process under the real pcscd

import Foundation
import Testing
import VirtualPCSC
import VirtualPN532

/// Each test has a separate daemon, which nfctool finds through the environment.
@Suite(.serialized, .offThePool, .enabled(if: PrivatePCSCDaemon.isAvailable && Tool.isBuilt)) struct ToolTests {
    @Test func aMessageIsWrittenAndReadThroughAReaderOfEachFamily() throws {
        for model in [PCSCReaderModel.acr1552u, .acr1252u, .utrust3721f] {
            let reader = VirtualPCSCReader(model: model, tags: [VirtualTagKind.ntag213.make()])
            let daemon = try PrivatePCSCDaemon(readers: [reader])
            defer { daemon.stop() }
            let name = "pcsc:\(model.driverName)"
            let written = try Tool.run(["write", "--uri", "https://example.com/", "--reader", name, "--yes"], daemon)
            #expect(written.status == 0, "\(model.id): \(written.text)")
            // The only reader needs no name.
            let read = try Tool.run(["read", "--json"], daemon)
            #expect(read.status == 0 && read.text.contains("https://example.com/"), "\(model.id): \(read.text)")
        }
    }

    @Test func readersAreListedWithWhatTheyCanDo() throws {
        let daemon = try PrivatePCSCDaemon(readers: [VirtualPCSCReader(model: .acr1552u)])
        defer { daemon.stop() }
        let list = try Tool.run(["readers", "--json"], daemon)
        #expect(list.status == 0, "\(list.text)")
        #expect(list.text.contains("\"model\":\"ACS ACR1552U\"") && list.text.contains("ISO 15693 commands"))
        #expect(list.text.contains("\"reader\":\"pcsc:ACS ACR1552"))
        #expect(!list.text.contains("SAM"))
    }

    @Test func aReaderThatHangsIsGivenUp() throws {
        let reader = VirtualPCSCReader(model: .acr1552u, tags: [VirtualTagKind.ntag213.make()])
        reader.faults.hang = 3
        let daemon = try PrivatePCSCDaemon(readers: [reader])
        defer { daemon.stop() }
        let start = ContinuousClock.now
        let read = try Tool.run(["read", "--reader", "pcsc:ACS"], daemon)
        #expect(read.status == 74, "\(read.text)")
        #expect(start.duration(to: .now) < .seconds(10))
        reader.faults = PCSCFaults()
    }

    @Test func whatAReaderCannotSendIsSaidWithReadersThatCan() throws {
        let tag = VirtualTagKind.ntag213.make()
        let reader = VirtualPCSCReader(model: .utrust3721f, tags: [tag])
        let daemon = try PrivatePCSCDaemon(readers: [reader])
        defer { daemon.stop() }
        let protected = try Tool.run(
            ["protect", "--yes", "--reader", "pcsc:Identiv"], daemon, password: "11223344")
        #expect(protected.status == 78, "\(protected.status) \(protected.text)")
        #expect(
            protected.text.contains("cannot send") && protected.text.contains("ACR1251U/1252U"), "\(protected.text)")
    }

    /// Readers that do not report the answer to select give only its historical bytes.
    @Test(arguments: [PCSCReaderModel.acr1552u, .acr122u])
    func aSignedMessageIsNotOverwritten(model: PCSCReaderModel) throws {
        let reader = VirtualPCSCReader(model: model, tags: [VirtualTagKind.ntag424.make()])
        let daemon = try PrivatePCSCDaemon(readers: [reader])
        defer { daemon.stop() }
        let setUp = try Tool.run(
            ["sdm", "setup", "https://example.com/?e={picc}&c={mac}", "--keep-writable", "--yes"], daemon)
        #expect(setUp.status == 0, "\(setUp.text)")
        for change in [["write", "--text", "hi"], ["erase"], ["lock"]] {
            let result = try Tool.run(change + ["--yes"], daemon)
            #expect(result.status == 77 && result.text.contains("Nothing was changed"), "\(change): \(result.text)")
        }
    }

    /// pcscd keeps the tag powered between two commands.
    @Test(arguments: [PCSCReaderModel.acr122u, .acr1252u, .acr1552u])
    func aPasswordIsForgottenAtTheEndOfACommand(model: PCSCReaderModel) throws {
        let reader = VirtualPCSCReader(model: model, tags: [VirtualTagKind.ntag213.make()])
        let daemon = try PrivatePCSCDaemon(readers: [reader])
        defer { daemon.stop() }
        let written = try Tool.run(["write", "--text", "secret", "--yes"], daemon)
        #expect(written.status == 0, "\(written.text)")
        let protected = try Tool.run(["protect", "--read", "--yes"], daemon, password: "A1B2C3D4")
        #expect(protected.status == 0, "\(protected.text)")
        for _ in 0..<2 {
            let read = try Tool.run(["read"], daemon)
            #expect(read.status == 77 && !read.text.contains("secret"), "\(read.status) \(read.text)")
            let opened = try Tool.run(["read", "--yes"], daemon, password: "A1B2C3D4")
            #expect(opened.status == 0 && opened.text.contains("secret"), "\(opened.status) \(opened.text)")
        }
    }

    @Test func aSelectedSectorIsForgottenAtTheEndOfACommand() throws {
        let reader = VirtualPCSCReader(model: .acr122u, tags: [VirtualTagKind.ntagI2C2K.make()])
        let daemon = try PrivatePCSCDaemon(readers: [reader])
        defer { daemon.stop() }
        let text = String(repeating: "q", count: 1_500)
        for arguments in [["write", "--text", text, "--yes"], ["read"], ["read"], ["erase", "--yes"], ["info"]] {
            let result = try Tool.run(arguments, daemon)
            #expect(result.status == 0, "\(arguments[0]): \(result.status) \(result.text)")
        }
    }

    @Test func aDaemonThatDoesNotRunIsNamed() throws {
        let read = try Tool.run(["read", "--reader", "pcsc:ACS"], socket: "/nowhere")
        #expect(read.status == 74 && read.text.contains("pcscd is not running"))
        #expect(read.text.contains("systemctl start pcscd.socket") && !read.text.contains("Unplug"), "\(read.text)")
    }
}

enum Tool {
    private static let path =
        (CommandLine.arguments.first.map { URL(fileURLWithPath: $0).deletingLastPathComponent() })?
        .appending(path: "nfctool").path ?? ""

    static var isBuilt: Bool { FileManager.default.isExecutableFile(atPath: path) }

    /// Runs nfctool with the readers of a daemon.
    ///
    /// `onHint` receives each hint that nfctool prints to a terminal. If it is nil, there is no terminal.
    static func run(
        _ arguments: [String], _ daemon: PrivatePCSCDaemon, password: String? = nil, onHint: ((String) -> Void)? = nil
    ) throws -> (status: Int32, text: String) {
        try run(arguments, socket: daemon.socketPath, password: password, onHint: onHint)
    }

    static func run(
        _ arguments: [String], socket: String, password: String? = nil, onHint: ((String) -> Void)? = nil
    ) throws -> (status: Int32, text: String) {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: path)
        process.arguments = arguments
        let home = FileManager.default.temporaryDirectory.appending(path: "nfctool-pcsc-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: home) }
        process.environment = [
            "PCSCLITE_CSOCK_NAME": socket, "HOME": home.path, "XDG_STATE_HOME": home.path, "PATH": "/usr/bin:/bin",
        ]
        process.environment?["NFCTOOL_PASSWORD"] = password
        let output = Pipe()
        process.standardInput = FileHandle.nullDevice
        (process.standardOutput, process.standardError) = (output, output)
        var hints = ""
        if let onHint {
            var (ours, theirs) = (CInt(-1), CInt(-1))
            guard openpty(&ours, &theirs, nil, nil, nil) == 0 else { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
            defer { close(ours) }
            process.standardError = FileHandle(fileDescriptor: theirs, closeOnDealloc: false)
            try process.run()
            close(theirs)
            var bytes = [UInt8](repeating: 0, count: 1_024)
            // When nfctool ends, reading from its terminal fails.
            while case let count = read(ours, &bytes, bytes.count), count > 0 {
                let hint = String(decoding: bytes.prefix(count), as: UTF8.self)
                hints += hint
                onHint(hint)
            }
        } else {
            try process.run()
        }
        let text = String(decoding: output.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        return (process.terminationStatus, hints + text)
    }
}
