// The port of a device

import Testing
import USBReaders

struct PortPathTests {
    @Test(
        "a port path is parsed and written in the format of sysfs", arguments: ["1-2", "1-2.3", "255-1.2.3.4.5.6.7"])
    func roundTrip(text: String) {
        #expect(PortPath(text)?.description == text)
    }

    @Test(
        "a string that is not a port path is nil",
        arguments: [
            "", "-", "1", "1-", "-1", "1-0", "0-1", "1-2.", "1-.2", "1-2..3", "usb1", "1-2:1.0", "256-1", "1-256",
            "+1-2",
            "1-+2", "01-2", "1-02", "1-1.2.3.4.5.6.7.8", "1-2-3", "١-٢", "1-99999999999999999999", " 1-2", "1-2\n",
        ])
    func refused(text: String) {
        #expect(PortPath(text) == nil)
    }

    @Test("ports are sorted by number, not by digits, and a hub comes before its devices")
    func order() {
        let sorted = ["1-2", "1-2.1", "1-10", "2-1", "10-1"].compactMap(PortPath.init)
        #expect(sorted.count == 5)
        #expect(sorted.shuffled().sorted() == sorted)
    }
}
