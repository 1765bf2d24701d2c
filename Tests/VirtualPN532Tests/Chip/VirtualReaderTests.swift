// Tests of the pseudo-terminal, the tag files and the control socket

@preconcurrency import Glibc
import Testing

@testable import VirtualPN532

/// The reader on its pseudo-terminal, used like by a program.
@Suite(.serialized) struct VirtualReaderTests {
    /// An open port, from which a read takes at most five seconds.
    private final class Port {
        let descriptor: Int32
        init(_ path: String) { descriptor = open(path, O_RDWR | O_NOCTTY) }
        deinit { close(descriptor) }

        func send(_ bytes: [UInt8]) { _ = write(descriptor, bytes, bytes.count) }

        func receive(_ count: Int) -> [UInt8] {
            var received: [UInt8] = []
            while received.count < count {
                var entry = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
                guard poll(&entry, 1, 5000) == 1 else { break }
                var buffer = [UInt8](repeating: 0, count: count - received.count)
                let got = read(descriptor, &buffer, buffer.count)
                guard got > 0 else { break }
                received += buffer[..<got]
            }
            return received
        }
    }

    static let versionCommand = HostFrame.information([0xD4, 0x02]).encoded
    static let versionAnswer = HostFrame.ack.encoded + octets("00 00 FF 06 FA D5 03 32 01 06 07 E8 00")

    private func asksVersion(_ port: Port) -> Bool {
        port.send(Self.versionCommand)
        return port.receive(Self.versionAnswer.count) == Self.versionAnswer
    }

    @Test func aProgramGetsItsAnswers() throws {
        let reader = try VirtualReader()
        #expect(reader.path.hasPrefix("/dev/pts/"))
        #expect(reader.connection == "pn532_uart:\(reader.path)")
        for _ in 0..<5 { #expect(asksVersion(Port(reader.path))) }
        #expect(reader.statistics.exchanges == 5)
        reader.stop()
        reader.stop()
    }

    @Test func aTagPlacedWhileTheChipWaitsIsFound() throws {
        let reader = try VirtualReader()
        let port = Port(reader.path)
        port.send(HostFrame.information([0xD4, 0x4A, 0x01, 0x00]).encoded)
        #expect(port.receive(6) == HostFrame.ack.encoded)
        reader.field.place(VirtualTagKind.ntag213.make())
        let answer = HostFrame.information(octets("D5 4B 01 01 00 44 00 07 04 10 57 1F 00 01 80")).encoded
        #expect(port.receive(answer.count) == answer)
        #expect(asksVersion(port))
    }

    /// libnfc marks a port that it uses with bit 31 of `c_iflag`.
    ///
    /// A killed program leaves the bit set.
    @Test func aClaimLeftByAKilledProgramIsTakenBack() throws {
        let claim: tcflag_t = 0x8000_0000
        let reader = try VirtualReader()
        do {
            let port = Port(reader.path)
            var settings = termios()
            tcgetattr(port.descriptor, &settings)
            settings.c_iflag |= claim
            tcsetattr(port.descriptor, TCSANOW, &settings)
            #expect(asksVersion(port))
        }
        // The bit is cleared when the reader's thread notices the hang-up, which is soon, but not immediately.
        var isClaimed = true
        for _ in 0..<500 where isClaimed {
            let port = Port(reader.path)
            var settings = termios()
            tcgetattr(port.descriptor, &settings)
            isClaimed = settings.c_iflag & claim != 0
            if isClaimed { sched_yield() }
        }
        #expect(!isClaimed)
        #expect(asksVersion(Port(reader.path)))
    }

    @Test func manyReadersStandSideBySide() throws {
        let readers = try (0..<8).map { _ in try VirtualReader() }
        #expect(Set(readers.map(\.path)).count == 8)
        for reader in readers { #expect(asksVersion(Port(reader.path))) }
    }

    @Test func fileTagsKeepWhatWasWrittenTwoReadersLater() throws {
        let path = "/tmp/nfctool-tag-\(getpid()).nfc"
        defer { unlink(path) }
        for round in 0..<3 {
            let spec = try VirtualReaderSpec(parsing: "\(path)?kind=ntag213")
            let reader = try spec.makeReader()
            let port = Port(reader.path)
            port.send(HostFrame.information([0xD4, 0x4A, 0x01, 0x00]).encoded)
            #expect(port.receive(28).count == 28)
            port.send(HostFrame.information([0xD4, 0x40, 0x01, 0x30, 0x06]).encoded)
            let block = Array(port.receive(6 + 10 + 16)[14...].prefix(4))
            let expected = round == 0 ? [0, 0, 0, 0] : [UInt8](repeating: UInt8(round), count: 4)
            #expect(block == expected)
            let next = [UInt8](repeating: UInt8(round + 1), count: 4)
            port.send(HostFrame.information([0xD4, 0x40, 0x01, 0xA2, 0x06] + next).encoded)
            #expect(port.receive(6 + 10).count == 16)
            #expect(reader.saveError == nil)
        }
        var status = stat()
        #expect(stat(path, &status) == 0)
        #expect(status.st_mode & 0o777 == 0o644)
    }

    @Test func aTagFileThatWasTakenAwayCanBePlacedAgain() throws {
        let path = "/tmp/nfctool-again-\(getpid()).nfc"
        defer { unlink(path) }
        let reader = try VirtualReaderSpec(parsing: "\(path)?kind=ntag213").makeReader()
        defer { reader.stop() }
        #expect(throws: VirtualReaderError.self) { try reader.place(TagFile(path: path)) }
        #expect(reader.field.remove())
        try reader.place(TagFile(path: path))
        #expect(reader.field.identifiers.count == 1)
    }

    @Test func aTagFileMayBeginWithAByteOrderMark() throws {
        let path = "/tmp/nfctool-marked-\(getpid()).nfc"
        defer { unlink(path) }
        let tag = try TagFile(path: path, kind: .ntag213).tag
        let file = open(path, O_WRONLY | O_TRUNC)
        let bytes = [0xEF, 0xBB, 0xBF] + Array(tag.flipperText.utf8)
        #expect(write(file, bytes, bytes.count) == bytes.count)
        close(file)
        #expect(try TagFile(path: path).tag.flipperText == tag.flipperText)
    }

    @Test(arguments: [true, false]) func aSaveThroughASymbolicLinkReplacesItsTarget(exists: Bool) throws {
        let (path, link) = ("/tmp/nfctool-target-\(getpid()).nfc", "/tmp/nfctool-link-\(getpid()).nfc")
        defer { for file in [path, link] { unlink(file) } }
        if exists { _ = try TagFile(path: path, kind: .ntag216) }
        #expect(symlink("nfctool-target-\(getpid()).nfc", link) == 0)
        let file = try TagFile(path: link, kind: .ntag213)
        let lock = try file.locked()
        try file.save(keeping: lock)
        var status = stat()
        #expect(lstat(link, &status) == 0 && status.st_mode & S_IFMT == S_IFLNK)
        #expect(lstat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFREG)
        #expect(try TagFile(path: path).tag.flipperText == file.tag.flipperText)
    }

    @Test func aTagFileIsUsedByOneReaderAtATime() throws {
        let path = "/tmp/nfctool-used-\(getpid()).nfc"
        defer { unlink(path) }
        var first: VirtualReader? = try VirtualReaderSpec(parsing: "\(path)?kind=ntag213").makeReader()
        // This also holds after a save has replaced the file.
        for round in 0..<2 {
            let error = #expect(throws: VirtualReaderError.self) { try VirtualReaderSpec(parsing: path).makeReader() }
            guard case .fileInUse(path, let holder?)? = error else {
                Issue.record("\(String(describing: error))")
                return
            }
            #expect(holder.hasSuffix("(process \(getpid()))"))
            guard round == 0, let port = first.map({ Port($0.path) }) else { break }
            port.send(HostFrame.information([0xD4, 0x4A, 0x01, 0x00]).encoded)
            #expect(port.receive(28).count == 28)
            port.send(HostFrame.information([0xD4, 0x40, 0x01, 0xA2, 0x06, 1, 2, 3, 4]).encoded)
            #expect(port.receive(6 + 10).count == 16)
        }
        first?.stop()
        first = nil
        _ = try VirtualReaderSpec(parsing: path).makeReader()
    }

    @Test func theControlSocketObeys() throws {
        let path = "/tmp/nfctool-control-\(getpid())"
        var address = sockaddr_un()
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
        let length = socklen_t(MemoryLayout<sockaddr_un>.size)
        // A socket that a dead simulator left is replaced, but the socket of a running simulator is not.
        let dead = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        let bound = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { bind(dead, $0, length) }
        }
        close(dead)
        #expect(bound == 0)
        let reader = try VirtualReader(tags: [VirtualTagKind.ntag213.make()])
        let control = try ControlSocket(path: path, reader: reader)
        #expect(throws: VirtualReaderError.noSocket(path: path, EADDRINUSE)) {
            try ControlSocket(path: path, reader: reader)
        }
        let client = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(client) }
        let connected = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { connect(client, $0, length) }
        }
        #expect(connected == 0)
        let commands = Array("list\nremove\nlist\n".utf8)
        #expect(write(client, commands, commands.count) == commands.count)
        let expected = "ok 0410571F000180\nok\nok\n"
        var received: [UInt8] = []
        while received.count < expected.utf8.count {
            var buffer = [UInt8](repeating: 0, count: 100)
            let count = read(client, &buffer, 100)
            guard count > 0 else { break }
            received += buffer[..<count]
        }
        #expect(String(decoding: received, as: UTF8.self) == expected)
        control.stop()
        #expect(access(path, F_OK) != 0)
    }

    @Test func theStatisticsAreToldByName() throws {
        let reader = try VirtualReader()
        #expect(
            ControlCommands(reader: reader).execute("stats").split(separator: " ").map { $0.prefix { $0 != "=" } } == [
                "ok", "exchanges", "tagExchanges", "tagCommands", "rfFrames", "rfBytesSent", "rfBytesReceived",
                "framesLost", "answersLost",
                "modelledMicroseconds", "lineMicroseconds", "tagMicroseconds",
                "openingExchanges", "openingModelledMicroseconds", "openingLineMicroseconds", "openingTagMicroseconds",
            ])
    }

    @Test func placedTagsGetUIDsThatNoOtherTagHas() throws {
        let reader = try VirtualReader(tags: [VirtualTagKind.ntag213.make(serial: 0x8002)])
        let commands = ControlCommands(reader: reader)
        #expect(commands.execute("place ntag213*2") == "ok")
        #expect(commands.execute("list") == "ok 0410571F800280 0410571F800180 0410571F800380")
        #expect(commands.execute("remove") == "ok")
        #expect(commands.execute("place ntag213") == "ok")
        #expect(commands.execute("list") == "ok 0410571F800480")
    }

    @Test func placedTagsUseEverySerialNumberOnce() {
        var identifiers = TagIdentifiers(firstSerial: 0xFFFE)
        for serial in [0xFFFF, 0x0001] { identifiers.note(VirtualTagKind.ntag213.make(serial: serial).identifier) }
        let tags = (0..<4).map { _ in identifiers.newTag(of: .ntag213) }
        let wanted = [0xFFFE, 0x0000, 0x0002, 0x0003].map { VirtualTagKind.ntag213.make(serial: $0).identifier }
        #expect(tags.map(\.identifier) == wanted)
    }

    @Test(arguments: [
        ("place ntag216", "ok"), ("remove 0410571F000180", "ok"), ("remove 0410571f000180", "ok"),
        ("remove 00", "error There is no tag 00."), ("stats", "ok exchanges=0 tagExchanges=0 tagCommands=0"),
        ("reset", "ok"), ("fault tear=3", "ok"), ("fault", "ok"),
        ("fault tear=x", "error \"x\" is not a value for tear"),
        ("fault no", "error Unknown option \"no\"."), ("place card", "error Unknown virtual tag \"card\"."),
        ("fault noise=5%", "ok"), ("fault edge=80", "ok"), ("fault powerup=on", "ok"),
        ("fault noise=much", "error \"much\""),
        ("place ntag215:version=none:fastread=16", "ok"), ("place ntag216*3", "ok"),
        ("place type4:version=none", "error"),
        ("", "error \"\" is not a command"),
        ("place", "error \"place\" is not a command"),
    ])
    func controlCommandsAnswerInOneLine(command: String, answer: String) throws {
        let reader = try VirtualReader(tags: [VirtualTagKind.ntag213.make()])
        let text = ControlCommands(reader: reader).execute(command)
        #expect(text.hasPrefix(answer))
        #expect(!text.contains("\n"))
    }
}
