// The information about a USB reader in its device node

import Testing

@testable import LibNFC

@Suite struct USBDescriptorsTests {
    /// An ACR122U: device, configuration, interface with CCID class descriptor (bytes as lsusb shows them), and
    /// endpoints 81, 02 and 82 as in the emulated reader.
    private static let acr122u = bytes(
        """
        12 01 10 01 00 00 00 08 2F 07 00 22 14 02 01 02 00 01 \
        09 02 5D 00 01 01 00 80 64 \
        09 04 00 00 03 0B 00 00 00 \
        36 21 00 01 00 07 03 00 00 00 A0 0F 00 00 A0 0F 00 00 00 80 25 00 00 00 C2 01 00 00 FE 00 00 00 00 00 00 00 \
        00 00 00 00 BA 04 02 00 0F 01 00 00 00 00 00 00 00 01 \
        07 05 81 03 08 00 10 07 05 02 02 40 00 00 07 05 82 02 40 00 00
        """)
    /// A PN533: the configuration that libnfc 1.8 restores (drivers/pn53x_usb.c).
    private static let pn533 = bytes(
        """
        12 01 00 02 00 00 00 40 CC 04 33 25 00 01 01 02 00 01 \
        09 02 20 00 01 01 00 80 32 09 04 00 00 02 FF FF FF 00 07 05 04 02 40 00 04 07 05 84 02 40 00 04
        """)

    @Test func theBulkEndpointsOfTheFirstInterfaceAreFound() throws {
        let acr122u = try #require(USBDescriptors(Self.acr122u))
        #expect((acr122u.vendor, acr122u.product) == (0x072F, 0x2200))
        #expect((acr122u.bulkOut, acr122u.bulkIn, acr122u.packetSize) == (0x02, 0x82, 64))
        #expect(acr122u.isACR122U)
        let pn533 = try #require(USBDescriptors(Self.pn533))
        #expect((pn533.bulkOut, pn533.bulkIn, pn533.packetSize) == (0x04, 0x84, 64))
        #expect(!pn533.isACR122U)
    }

    @Test(arguments: [acr122u, pn533])
    func whatIsCutOffBeforeBothEndpointsSaysNothing(_ whole: [UInt8]) {
        let cuts = (0...whole.count).map { USBDescriptors(Array(whole.prefix($0))) }
        #expect(cuts.dropLast().allSatisfy { $0 == nil })
        #expect(cuts.last == USBDescriptors(whole))
    }

    @Test(arguments: [
        // A descriptor of length zero, one that is longer than the rest, and an endpoint without packets.
        "00 00 00 00", "01 05 02", "FF 05 02 02 40 00 00",
        "09 04 00 00 02 FF FF FF 00 07 05 04 02 00 00 04 07 05 84 02 00 00 04",
        // Interrupt endpoints only, and bulk endpoints of another interface.
        "09 04 00 00 02 FF FF FF 00 07 05 04 03 40 00 04 07 05 84 03 40 00 04",
        "09 04 01 00 02 FF FF FF 00 07 05 04 02 40 00 04 07 05 84 02 40 00 04",
    ])
    func whatHasNoBulkEndpointsIsNoReader(_ rest: String) {
        #expect(USBDescriptors(Self.pn533.prefix(18) + bytes(rest)) == nil)
    }
}

func bytes(_ hex: String) -> [UInt8] { hex.split(separator: " ").compactMap { UInt8($0, radix: 16) } }
