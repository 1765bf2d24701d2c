// The table of readers

import Testing
import USBReaders

struct ReaderModelTests {
    /// libnfc 1.8.0, acr122_usb.c and pn53x_usb.c: the tables of supported devices.
    static let driven: [(UInt16, UInt16, ReaderModel.Driver)] = [
        (0x072F, 0x2200, .acr122USB), (0x072F, 0x90CC, .acr122USB), (0x072F, 0x2214, .acr122USB),
        (0x04CC, 0x0531, .pn53xUSB), (0x04CC, 0x2533, .pn53xUSB), (0x04E6, 0x5591, .pn53xUSB),
        (0x04E6, 0x5594, .pn53xUSB), (0x054C, 0x0193, .pn53xUSB), (0x1FD3, 0x0608, .pn53xUSB),
        (0x054C, 0x02E1, .pn53xUSB),
    ]

    @Test("libnfc's ten USB readers are driven, each by its driver, and no other is", arguments: driven)
    func drivers(vendor: UInt16, product: UInt16, driver: ReaderModel.Driver) {
        #expect(ReaderModel.known(vendor: vendor, product: product)?.drive?.driver == driver)
        #expect(ReaderModel.table.count { $0.drive != nil } == Self.driven.count)
    }

    /// Linux, drivers/nfc/pn533/usb.c, pn533_usb_table.
    @Test("the four readers that the kernel's pn533_usb claims are marked")
    func kernel() {
        let claimed = ReaderModel.table.filter { $0.drive?.quirks.contains(.claimedByPN533) == true }
        #expect(
            Set(claimed.map { [$0.vendor, $0.product] })
                == [[0x04CC, 0x2533], [0x04E6, 0x5591], [0x054C, 0x02E1], [0x072F, 0x2200]])
    }

    @Test("no number is in the table twice, and every model has a name")
    func unique() {
        #expect(Set(ReaderModel.table.map { [$0.vendor, $0.product] }).count == ReaderModel.table.count)
        #expect(ReaderModel.table.allSatisfy { !$0.name.isEmpty })
    }

    @Test("a reader that libnfc cannot drive has a reason")
    func reasons() {
        let reason = { ReaderModel.known(vendor: $0, product: $1)?.reason }
        #expect(reason(0x072F, 0x223B) == .smartCardReaderOnly)
        #expect(reason(0x054C, 0x06C1) == .port100)
        #expect(reason(0x9AC4, 0x4B8F) == .proxmark)
        #expect(reason(0x04E6, 0x5593) == .unknownProductNumber)
        #expect(reason(0x072F, 0x2200) == nil)
        #expect(ReaderModel.known(vendor: 0, product: 0) == nil)
    }
}
