// Sizes and times by driver — libnfc 1.8 drivers/acr122_usb.c, pn53x_usb.c

import Clibnfc
import Testing

@testable import LibNFC

@Suite struct ReaderLinkTests {
    @Test(arguments: [
        ("acr122_usb:001:004", ReaderLink.acr122), ("pn53x_usb:001:004", .pn53xUSB),
        ("pn532_uart:/dev/ttyUSB0:115200", .frames(bitsPerSecond: 115_200)),
        ("pn532_uart:/dev/ttyUSB0:9600?speed=921600", .frames(bitsPerSecond: 921_600)),
        ("arygon:/dev/ttyUSB0:9600", .frames(bitsPerSecond: 9_600)),
        ("pn532_i2c:/dev/i2c-1", .frames(bitsPerSecond: 115_200)), ("", .frames(bitsPerSecond: 115_200)),
    ])
    func theDriverIsTheFirstWord(_ connection: String, _ link: ReaderLink) {
        #expect(ReaderLink(connection: connection) == link)
    }

    /// libnfc subtracts USB_TIMEOUT_PER_PASS before it first looks for an answer: with 200 ms or less, it never looks.
    @Test func aUSBDriverGetsBackWhatItTakesOff() {
        for link in [ReaderLink.acr122, .pn53xUSB] {
            #expect(link.timeout(for: .milliseconds(1)) == 700)
            #expect(link.timeout(for: .milliseconds(500)) == 700)
            #expect(link.timeout(for: .seconds(1)) == 1_200)
            #expect(link.timeout(for: .seconds(1_000_000)) == 60_200)
        }
        #expect(ReaderLink.pn53xUSB.commandTimeout == 700)
        #expect(ReaderLink.pn53xUSB.shortestTimeout > 200)
        let line = ReaderLink.frames(bitsPerSecond: 115_200)
        #expect(line.timeout(for: .milliseconds(100)) == 100)
        // libnfc would wait forever for 0.
        #expect(line.timeout(for: .zero) == 1)
        #expect(line.timeout(for: .seconds(-1)) == 1)
    }

    /// Lc and the length byte of the answer are at most 255.
    @Test func anACR122UCountsWithOneByte() {
        #expect(3 + ReaderLink.acr122.maxCommandLength == 255)
        #expect(3 + ReaderLink.acr122.maxResponseLength + 2 == 255)
        #expect(ReaderLink.pn53xUSB.maxCommandLength == 262)
    }

    @Test func onlyWhatLeavesAnAnswerBehindIsOutOfStep() {
        for link in [ReaderLink.acr122, .pn53xUSB] {
            for result in [NFC_ETIMEOUT, NFC_EIO, NFC_EOVFLOW] { #expect(link.isOutOfStep(after: result)) }
            for result in [0, 16, NFC_ERFTRANS, NFC_ETGRELEASED, NFC_EMFCAUTHFAIL, NFC_EINVARG, NFC_ECHIP] {
                #expect(!link.isOutOfStep(after: result))
            }
        }
        #expect(!ReaderLink.frames(bitsPerSecond: 115_200).isOutOfStep(after: NFC_ETIMEOUT))
    }
}
