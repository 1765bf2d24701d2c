// Tests of the text after `virtual:` on the command line

import Foundation
import Testing

@testable import VirtualPN532

struct VirtualReaderSpecTests {
    @Test func nothingIsTheDemonstrationTag() throws {
        #expect(try VirtualReaderSpec(parsing: "").tags.map(\.identifier) == [octets("04 A1 B2 C3 D4 E5 80")])
    }

    @Test func tagsOfOneKindHaveUIDsOfTheirOwn() throws {
        let tags = try VirtualReaderSpec(parsing: "ntag213*20,type4,ntag213").tags
        #expect(tags.count == 22)
        #expect(Set(tags.map(\.identifier)).count == 22)
    }

    @Test func serialNumbersCountFromWhereTheyAreTold() throws {
        func uids(_ text: String) throws -> [String] {
            try VirtualReaderSpec(parsing: text).tags.map { hex($0.identifier) }
        }
        #expect(
            try uids("ntag213*2,type4?serial=1001")
                == ["04 10 57 1F 03 E9 80", "04 10 57 1F 03 EA 80", "04 16 57 1F 03 E9 80"])
        #expect(try uids("ntag213*250") == uids("ntag213*250?serial=1"))
        let readers = try [1, 251, 501].flatMap { try uids("ntag213*250?stream&serial=\($0)") }
        #expect(Set(readers).count == 750)
        #expect(try uids("ntag213*3?serial=65535").last == "04 10 57 1F 00 01 80")
    }

    @Test func optionsAreSeparatedByAmpersandOrComma() throws {
        let text =
            "ntag213?tear=3&nak=7,back=500ms&latency=real&repeat&stream&dwell=2s,loss=1&crc=2&corrupt=4&mute=0&hang=9&deaf=2&slowwake=300ms"
        let spec = try VirtualReaderSpec(parsing: text)
        var faults = Faults()
        (faults.tear, faults.nak, faults.back, faults.repeats) = (3, 7, .milliseconds(500), true)
        (faults.loss, faults.crc, faults.corrupt, faults.mute, faults.hang) = (1, 2, 4, 0, 9)
        (faults.deaf, faults.slowwake) = (2, .milliseconds(300))
        #expect(spec.faults == faults)
        #expect(spec.latency == .real)
        #expect(spec.isStream)
    }

    @Test(arguments: [
        ("ntag999", "Unknown virtual tag \"ntag999\". Name a kind, such as ntag215, or a file"),
        ("foo", "Unknown virtual tag \"foo\". Name a kind, such as ntag215, or a file"),
        ("ntag215,foo", "Unknown virtual tag \"foo\""), ("ntag215,./foo", "Unknown virtual tag \"./foo\""),
        ("ntag215,tag.nfc.bak", "Unknown virtual tag \"tag.nfc.bak\""), (".nfc", "Unknown virtual tag \".nfc\""),
        ("ntag215,kind=ntag213", "Unknown virtual tag \"kind=ntag213\""),
        ("ntag213,", "Unknown virtual tag \"\""), ("ntag213*0", "\"0\" is not a value for ntag213*COUNT"),
        ("ntag213*x", "\"x\" is not a value for ntag213*COUNT"), ("ntag213*99999999", "\"99999999\" is not a value"),
        (
            "ntag213:wear=3",
            "Unknown option \"wear\". Known options: version, vendor, signature, fastread, duplicates, locktlv."
        ),
        ("ntag213:tear=3", "Unknown option \"tear\"."),
        ("ntag213:version=0", "\"0\" is not a value for version. Use none."),
        ("type4:version=none", "The option version has no effect here. It needs an NTAG or a MIFARE Ultralight."),
        ("?wear=3", "Unknown option \"wear\". Known options: loss, tear"),
        ("?tear", "\"\" is not a value for tear. Use a number from 1"), ("?tear=0", "\"0\" is not a value for tear"),
        ("?tear=99999999999999999999", "\"99999999999999999999\" is not a value"),
        ("?mute=-1", "\"-1\" is not a value"),
        ("?loss=1&back=5", "\"5\" is not a value for back. Use a time such as 500ms or 2s."),
        ("?loss=1&back=9999999999s", "\"9999999999s\""),
        ("?loss=1&repeat=3", "\"3\" is not a value for repeat. Use no value."),
        ("?latency=fast", "\"fast\" is not a value for latency. Use none or real."),
        ("?chip=pn531", "\"pn531\" is not a value for chip. Use pn532 or pn533."),
        ("?kind=tag", "Unknown virtual tag \"tag\""),
        ("?serial=0", "\"0\" is not a value for serial. Use a number from 1 to 65535."),
        ("?serial", "\"\" is not a value for serial"), ("?serial=65536", "\"65536\" is not a value for serial"),
        ("?noise=100%", "\"100%\" is not a value for noise. Use a share below 100%, for example 5%."),
        ("?noise=-1", "\"-1\" is not a value"), ("?noise=nan", "\"nan\" is not a value"),
        ("?ber=2", "\"2\" is not a value for ber. Use a probability from 0 to 1, for example 1e-4."),
        ("?ber=nan", "\"nan\" is not a value"), ("?edge=soon", "\"soon\" is not a value for edge. Use milliseconds"),
        ("?edge=99999999999ms", "\"99999999999ms\" is not a value"),
        ("?powerup=soon", "\"soon\" is not a value for powerup. Use on, off or milliseconds."),
        ("?vendor=4", "\"4\" is not a value for vendor. Use a byte in hexadecimal."),
        ("?fastread=0", "\"0\" is not a value for fastread. Use none or a number of blocks from 1 to 256."),
        ("?signature=no", "\"no\" is not a value for signature. Use none."),
        (
            "?wear",
            """
            Unknown option "wear". Known options: loss, tear, nak, crc, corrupt, mute, hang, deaf, slowwake, back, \
            repeat, ber, noise, seed, edge, powerup, version, vendor, signature, fastread, duplicates, locktlv, \
            latency, stream, dwell, gap, kind, serial, chip, antenna.
            """
        ),
        ("/nowhere/tag.nfc", "The tag file /nowhere/tag.nfc cannot be used: No such file or directory."),
        ("/dev/null/tag.nfc", "The tag file /dev/null/tag.nfc cannot be used: Not a directory."),
        ("/nowhere/a.nfc,/nowhere/a.nfc", "The tag file /nowhere/a.nfc is given twice. Give it once."),
    ])
    func errorsNameTheWrongWord(text: String, message: String) {
        do throws(VirtualReaderError) {
            _ = try VirtualReaderSpec(parsing: text)
            Issue.record("no error")
        } catch {
            #expect("\(error)".hasPrefix(message))
        }
    }

    @Test(arguments: [
        ("ntag213?kind=ntag215", "kind", "It sets the kind of tag in a new file. Name a FILE.nfc."),
        ("?kind=ntag215", "kind", "It sets the kind of tag in a new file. Name a FILE.nfc."),
        ("?serial=7", "serial", "It numbers new tags. Name a KIND or a FILE.nfc."),
        ("ntag213*3?gap=1s", "gap", "Add stream, which places one tag after the other."),
        ("ntag213*3?dwell=1s", "dwell", "Add stream, which places one tag after the other."),
        ("ntag213?repeat", "repeat", "Add loss, tear, nak, crc or corrupt."),
        ("ntag213?nak=3&back=1s", "back", "Add loss or tear."), ("ntag213?seed=3", "seed", "Add noise, ber or edge."),
        ("type4,felica-lite-s?vendor=53", "vendor", "It needs an NTAG or a MIFARE Ultralight."),
    ])
    func anOptionWithoutEffectIsAnError(text: String, option: String, reason: String) {
        do throws(VirtualReaderError) {
            _ = try VirtualReaderSpec(parsing: text)
            Issue.record("no error")
        } catch {
            #expect("\(error)" == "The option \(option) has no effect here. \(reason)")
        }
    }

    @Test func couplingIsSetByOptions() throws {
        func coupling(_ options: String) throws -> Coupling {
            try VirtualReaderSpec(parsing: "ntag215?\(options)").faults.coupling
        }
        #expect(try coupling("latency=real") == Coupling())
        #expect(try coupling("ber=1e-4").bitErrorRate == 1e-4)
        #expect(try coupling("noise=20%") == coupling("noise=20"))
        #expect(try abs(coupling("noise=20").bitErrorRate - 9.5275e-5) < 1e-8)
        #expect(try coupling("noise=5&seed=9").seed == 9)
        #expect(try coupling("edge=80").edge == .milliseconds(80))
        #expect(try coupling("edge=80ms").edge == .milliseconds(80))
        #expect(try coupling("edge=2s").edge == .seconds(2))
        #expect(try coupling("powerup=on").powerUp == .guardTime)
        #expect(try coupling("powerup=off").powerUp == .after(.zero))
        #expect(try coupling("powerup=7").powerUp == .after(.milliseconds(7)))
    }

    // MARK: Files

    @Test(arguments: VirtualTagKind.inFiles) func twoNewFilesNeverShareAUID(kind: VirtualTagKind) throws {
        let files = (0..<20).map { _ in TemporaryFile() }
        // Ten tags are in one list, and ten are created one by one.
        let list = files[..<10].map(\.description).joined(separator: ",")
        var tags = try VirtualReaderSpec(parsing: "\(list)?kind=\(kind.rawValue)").tags
        for file in files[10...] { tags += try VirtualReaderSpec(parsing: "\(file)?kind=\(kind.rawValue)").tags }
        #expect(Set(tags.map(\.identifier)).count == 20)
        // The tags keep their UIDs. Random UIDs have the length and the first byte that are usual for the kind.
        let again = try VirtualReaderSpec(parsing: files.map(\.description).joined(separator: ",")).tags
        #expect(again.map(\.identifier) == tags.map(\.identifier))
        let usual = kind.make().identifier
        for tag in tags {
            #expect(tag.identifier.count == usual.count)
            #expect(tag.identifier[0] == usual[0])
        }
    }

    @Test func serialNumbersCountForNewFiles() throws {
        let (first, second, third) = (TemporaryFile(), TemporaryFile(), TemporaryFile())
        func uids(_ text: String) throws -> [String] {
            try VirtualReaderSpec(parsing: text).tags.map { hex($0.identifier) }
        }
        #expect(
            try uids("\(first),\(second),ntag215?serial=7")
                == ["04 11 57 1F 00 08 80", "04 11 57 1F 00 09 80", "04 11 57 1F 00 07 80"])
        // The UIDs of the other tags in the list are not used again.
        #expect(
            try uids("\(first),\(third)?serial=8") == ["04 11 57 1F 00 08 80", "04 11 57 1F 00 09 80"])
    }

    @Test(arguments: VirtualTagKind.inFiles) func anExistingFileKeepsItsKind(kind: VirtualTagKind) throws {
        let (file, other) = (TemporaryFile(), TemporaryFile())
        for _ in 0..<2 { _ = try VirtualReaderSpec(parsing: "\(file)?kind=\(kind.rawValue)") }
        let wanted: VirtualTagKind = kind.isType2 ? .type4 : .ntag216
        // The kind of a missing file in a list is not the kind of the other files.
        #expect(try VirtualReaderSpec(parsing: "\(file),\(other)?kind=\(wanted.rawValue)").tags.count == 2)
        let error = #expect(throws: VirtualReaderError.self) {
            try VirtualReaderSpec(parsing: "\(file)?kind=\(wanted.rawValue)")
        }
        #expect(error?.description.contains("not \(wanted.rawValue). Leave out kind=\(wanted.rawValue)") == true)
    }

    @Test func theErrorAboutAnotherKindNamesBoth() throws {
        let file = TemporaryFile()
        _ = try VirtualReaderSpec(parsing: "\(file)")
        let error = #expect(throws: VirtualReaderError.self) { try VirtualReaderSpec(parsing: "\(file)?kind=ntag216") }
        #expect(error == .otherKind(path: file.description, found: "ntag215", wanted: "ntag216"))
    }

    @Test func nothingIsMadeWhenALaterWordIsWrong() throws {
        let file = TemporaryFile()
        #expect(throws: VirtualReaderError.self) { try VirtualReaderSpec(parsing: "\(file),foo") }
        #expect(throws: VirtualReaderError.self) { try VirtualReaderSpec(parsing: "\(file)?gap=1s") }
        #expect(throws: VirtualReaderError.self) {
            try VirtualReaderSpec(parsing: "\(file),/nowhere/x.nfc?kind=type4b")
        }
        #expect(access(file.description, F_OK) != 0)
    }

    // MARK: The documentation

    @Test func theDocumentationNamesEveryOptionAndEveryKind() throws {
        let path = URL(filePath: #filePath).appending(path: "../../../../Docs/VirtualReader.md").standardized
        // The part after the heading "PC/SC readers" is checked in VirtualPCSCTests.
        let page = try String(contentsOf: path, encoding: .utf8)
        let text = try #require(page.components(separatedBy: "\n# PC/SC readers").first)
        let rows = text.split(separator: "\n").filter { $0.hasPrefix("| `") }
        let named = rows.map { $0.dropFirst(3).prefix { $0 != "`" && $0 != "=" && $0 != " " } }.map(String.init)
        for option in VirtualReaderOption.names { #expect(named.contains(option), "the option \(option)") }
        for kind in VirtualTagKind.allCases { #expect(named.contains(kind.rawValue), "the kind \(kind.rawValue)") }
        for command in ControlCommands.names { #expect(named.contains(command), "the command \(command)") }
        #expect(
            Set(named)
                == Set(VirtualReaderOption.names + VirtualTagKind.allCases.map(\.rawValue) + ControlCommands.names))
    }
}
