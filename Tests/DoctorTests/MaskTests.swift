// Data that text must not reveal. BugReportTests checks a whole report

import Doctor
import DoctorSituations
import Testing
import USBReaders

@Suite struct MaskTests {
    @Test func aHostIsMaskedWithItsDomainAndWithout() {
        let mask = Mask(ReaderSurvey(readers: [], system: Part.system()), host: "laptop.example.org", home: "")
        #expect(mask.masked("at laptop.example.org, laptop") == "at HOST, HOST")
    }

    @Test func aSerialNumberIsMaskedAsItIsAndAsUdevWritesIt() {
        let reader = Part.plugged(Part.reader(serial: "SN 47 11"))
        let mask = Mask(ReaderSurvey(readers: [reader], system: Part.system()), host: "", home: "")
        #expect(mask.masked("SN 47 11, usb-ACS_SN_47_11-if00") == "SERIAL, usb-ACS_SERIAL-if00")
    }

    @Test func theBytesOfATagAreMaskedAndThoseOfTheChipAreNot() {
        let mask = Mask(ReaderSurvey(readers: [], system: Part.system()), host: "", home: "")
        #expect(mask.masked("x TX: d4 02") == "x TX: d4 02")
        #expect(mask.masked("x TX: d4 40 01 30 00") == "x TX: d4 40 (3 bytes)")
    }
}
