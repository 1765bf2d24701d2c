// Tests of what follows `virtual:` on the command line

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
        ("ntag999", "\"ntag999\" is no kind of virtual tag; there are ntag213, ntag215"),
        ("ntag213,", "\"\" is no kind"), ("ntag213*0", "\"0\" is no value for ntag213*COUNT"),
        ("ntag213*x", "\"x\" is no value for ntag213*COUNT"), ("ntag213*99999999", "\"99999999\" is no value"),
        ("?wear=3", "\"wear\" is no option of a virtual reader; there are loss, tear"),
        ("?tear", "\"\" is no value for tear, which takes a number from 1"), ("?tear=0", "\"0\" is no value for tear"),
        ("?tear=99999999999999999999", "\"99999999999999999999\" is no value"), ("?mute=-1", "\"-1\" is no value"),
        ("?back=5", "\"5\" is no value for back, which takes a time such as 500ms or 2s"),
        ("?back=9999999999s", "\"9999999999s\""),
        ("?latency=fast", "\"fast\" is no value for latency, which takes none or real"),
        ("?kind=tag", "\"tag\" is no kind"),
        ("?serial=0", "\"0\" is no value for serial, which takes a number from 1 to 65535"),
        ("?serial", "\"\" is no value for serial"), ("?serial=65536", "\"65536\" is no value for serial"),
        (
            "?wear",
            "\"wear\" is no option of a virtual reader; there are loss, tear, nak, crc, corrupt, mute, hang, deaf, slowwake, back, repeat, latency, stream, dwell, gap, kind, serial, chip, antenna."
        ),
        ("/nowhere/tag.nfc", "The tag file /nowhere/tag.nfc cannot be used: No such file or directory."),
        ("/dev/null/tag.nfc", "The tag file /dev/null/tag.nfc cannot be used: Not a directory."),
    ])
    func errorsNameTheWrongWord(text: String, message: String) {
        do throws(VirtualReaderError) {
            _ = try VirtualReaderSpec(parsing: text)
            Issue.record("no error")
        } catch {
            #expect("\(error)".hasPrefix(message))
        }
    }
}
