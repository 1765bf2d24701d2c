import Clibpcsclite
import ReaderInterface
import Testing

@testable import PCSCReaders

@Suite struct ReaderNameTests {
    private static let readers = [
        "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader PICC] 00 00",
        "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader SAM] 00 01", "ACS ACR122U PICC Interface 01 00",
        "ACS ACR122U PICC Interface 02 00",
    ]

    @Test func aSlotForASAMIsSkippedUnlessItIsNamed() {
        #expect(ReaderName.matches("ACS ACR1552", among: Self.readers) == [Self.readers[0]])
        #expect(ReaderName.matches("ACS ACR1552*", among: Self.readers) == [Self.readers[0]])
        #expect(ReaderName.matches(Self.readers[1], among: Self.readers) == [Self.readers[1]])
        #expect(!ReaderName.isSAM("Samsung Reader 00 00"))
    }

    @Test func patternsMatchWholeNames() {
        #expect(ReaderName.matches("*ACR122U*", among: Self.readers) == Array(Self.readers[2...]))
        #expect(ReaderName.matches("*122U*02 00", among: Self.readers) == [Self.readers[3]])
        #expect(ReaderName.matches("*122U", among: Self.readers) == [])
        #expect(ReaderName.matches("***", among: Self.readers).count == 3)
        // Matching many stars against a long name does not take forever.
        let name = String(repeating: "a", count: 2_000)
        #expect(ReaderName.matches(String(repeating: "*a", count: 1_000) + "b", among: [name]) == [])
    }

    @Test func theIndexIsLeftOutWhereNoOtherReaderHasTheName() {
        #expect(
            ReaderName.lasting(Self.readers[0], among: Self.readers)
                == "ACS ACR1552 1S CL Reader [ACR1552 1S CL Reader PICC]")
        #expect(ReaderName.lasting(Self.readers[2], among: Self.readers) == Self.readers[2])
        #expect(ReaderName.lasting("vpcd", among: ["vpcd"]) == "vpcd")
    }

    @Test func connectionsAreParsed() {
        #expect(ReaderName("pcsc:ACS") == .text("ACS"))
        #expect(ReaderName("pcsc:usb:001:004") == .usb(bus: 1, device: 4))
        #expect(ReaderName("pcsc:usb:001:400") == .text("usb:001:400"))
        #expect(ReaderName("acr122_usb:001:004") == nil)
    }

    @Test func aFamilyIsKnownByNumberAndByName() {
        #expect(ReaderDialect.of(name: Self.readers[0]) == .acr1552U)
        #expect(ReaderDialect.of(name: "HID Global OMNIKEY 5422 Smartcard Reader 00 00") == .omnikey)
        #expect(ReaderDialect.of(name: "Unknown 00 00") == .generic)
        #expect(ReaderDialect.of(name: "Unknown 00 00", vendor: 0x072F, product: 0x2308) == .acr1552U)
        #expect(Set(ReaderDialect.all.flatMap(\.numbers)).count == ReaderDialect.all.flatMap(\.numbers).count)
    }

    @Test func aNameMatchesTheSameReaderAsWhenItIsOpened() {
        #expect(PCSCReader.isNamed("pcsc:ACS ACR1552*", among: Self.readers))
        #expect(PCSCReader.isNamed("pcsc:", among: Self.readers))
        #expect(!PCSCReader.isNamed("pcsc:", among: []))
        #expect(!PCSCReader.isNamed("pcsc:SONY", among: Self.readers))
        #expect(!PCSCReader.isNamed("pcsc:usb:001:004", among: Self.readers))
        #expect(!PCSCReader.isNamed("pn532_uart:/dev/ttyUSB0", among: Self.readers))
    }

    @Test func aStoppedDaemonIsReportedWithItsErrorNumber() {
        let error = ReaderError.pcsc(PCSCStatus(SCARD_E_NO_SERVICE), during: "opening", reader: "pcsc:ACS")
        #expect(
            "\(error)"
                == "The reader failed while opening: the smart-card daemon pcscd is not running (error 0x8010001D)."
        )
        #expect(error.kind == .readerGone)
        guard case .readerFailed(_, _, _, .noDaemon) = error else {
            Issue.record("another fault: \(error)")
            return
        }
    }

    @Test func propertiesOfTheDriverAreParsed() {
        #expect(
            ReaderProperties.code(of: 0x12, among: [0x06, 4, 1, 2, 3, 4, 0x12, 4, 0x42, 0x33, 0, 0x12]) == 0x4233_0012)
        #expect(ReaderProperties.code(of: 0x12, among: [0x12, 4, 0x42]) == nil)
        #expect(ReaderProperties.code(of: 0x12, among: [0x11, 0, 0x12, 4, 1, 2, 3, 4]) == nil)
        let values = ReaderProperties.properties([0x0A, 4, 0, 0, 1, 0, 0x0B, 2, 0x2F, 0x07, 0x0C, 9, 1])
        #expect(values == [0x0A: 0x1_0000, 0x0B: 0x072F])
    }
}
