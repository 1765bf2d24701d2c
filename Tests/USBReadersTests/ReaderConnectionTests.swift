// The speed after a connection string

import Testing
import USBReaders

struct ReaderConnectionTests {
    @Test("a PN532 on a serial port may have a raised speed", arguments: [230_400, 460_800, 921_600])
    func raised(speed: Int) throws {
        for plain in ["pn532_uart:/dev/ttyUSB0", "pn532_uart:/dev/ttyUSB0:9600"] {
            let connection = try ReaderConnection(parsing: "\(plain)?speed=\(speed)")
            #expect(connection.plain == plain)
            #expect(connection.raisedSpeed?.rawValue == speed)
            let usual = plain.hasSuffix("9600") ? SerialSpeed.baud9600 : SerialSpeed.baud115200
            #expect(connection.usualSpeed == usual)
        }
    }

    @Test(
        "any other connection string is left as it is",
        arguments: [
            "pn532_uart:/dev/ttyUSB0", "acr122_usb:001:004", "pcsc:A reader?speed=1", "virtual:ntag213?loss=3", "",
        ])
    func plain(text: String) throws {
        let connection = try ReaderConnection(parsing: text)
        #expect(connection.plain == text)
        #expect(connection.raisedSpeed == nil)
    }

    @Test(
        "a speed to which a line cannot be raised is refused",
        arguments: ["", "0", "9600", "115200", "+921600", "0921600", "1288000", "fast"])
    func refused(value: String) {
        let error = ReaderConnectionError.notASpeed(value, known: [230_400, 460_800, 921_600])
        #expect(throws: error) { try ReaderConnection(parsing: "pn532_uart:/dev/x?speed=\(value)") }
        #expect("\(error)" == "\"\(value)\" is not a value for speed. Use 230400, 460800 or 921600.")
    }

    @Test("another option is refused", arguments: ["baud=921600", "", "921600", "Speed=921600"])
    func unknown(option: String) {
        let word = option.split(separator: "=").first.map(String.init) ?? ""
        #expect(throws: ReaderConnectionError.notAnOption(word, known: "speed")) {
            try ReaderConnection(parsing: "pn532_uart:/dev/x?\(option)")
        }
    }

    @Test("libnfc supports a usual speed of a serial PN532 only up to 460800 baud")
    func usual() throws {
        let speeds: [(String, SerialSpeed?)] = [
            ("pn532_uart:/dev/x:460800", .baud460800), ("pn532_uart:/dev/x:921600", nil),
            ("pn532_uart:/dev/x:7", nil), ("arygon:/dev/x:9600", nil),
        ]
        for (text, speed) in speeds {
            #expect(try ReaderConnection(parsing: text).usualSpeed == speed)
        }
    }
}
