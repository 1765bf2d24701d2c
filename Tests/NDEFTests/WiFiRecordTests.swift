import NDEF
import Testing

private let wscType = Array("application/vnd.wfa.wsc".utf8)

/// Written by ndeflib 0.3.3, which orders attributes by ID.
///
/// There are two networks and a WFA vendor extension (version 2.0).
let wifiBytes =
    hex("D2 17 58") + wscType
    + hex(
        """
        10 0E 00 32  10 03 00 02 00 20  10 0F 00 02 00 08  10 20 00 06 FF FF FF FF FF FF  10 26 00 01 01
                     10 27 00 0A 73 65 63 72 65 74 2D 6B 65 79  10 45 00 05 43 61 66 C3 A9
        10 0E 00 14  10 03 00 02 00 01  10 0F 00 02 00 01  10 45 00 04 6F 70 65 6E
        10 49 00 06 00 37 2A 00 01 20
        """)

@Suite struct WiFiRecordTests {
    private let token = WiFiRecord(
        networks: [
            WiFiCredential(
                ssid: Array("Café".utf8), networkKey: Array("secret-key".utf8), authentication: .wpa2Personal,
                encryption: .aes),
            WiFiCredential(
                ssid: Array("open".utf8), networkKey: nil, authentication: .open, encryption: .none, macAddress: nil,
                networkIndex: nil),
        ],
        others: [WSCAttribute(id: 0x1049, value: hex("00 37 2A 00 01 20"))])

    @Test func networksAreReadFromATokenByNdeflib() throws {
        #expect(try NDEFMessage(bytes: wifiBytes).records.map(\.content) == [.wifi(token)])
    }

    @Test func thePasswordsOfANetworkAreTheSecretsOfItsRecord() throws {
        #expect(try NDEFMessage(bytes: wifiBytes).records.flatMap(\.secrets) == [Array("secret-key".utf8)])
        #expect(URIRecord(uri: "https://example.com").record().secrets.isEmpty)
    }

    @Test func tokenIsWrittenInTheOrderOfWpaSupplicant() throws {
        let payload = hex(
            """
            10 0E 00 32  10 26 00 01 01  10 45 00 05 43 61 66 C3 A9  10 03 00 02 00 20  10 0F 00 02 00 08
                         10 27 00 0A 73 65 63 72 65 74 2D 6B 65 79  10 20 00 06 FF FF FF FF FF FF
            10 0E 00 14  10 45 00 04 6F 70 65 6E  10 03 00 02 00 01  10 0F 00 02 00 01
            10 49 00 06 00 37 2A 00 01 20
            """)
        #expect(try token.record() == .of(.media, type: wscType, payload))
        #expect(try WiFiRecord(record: token.record()) == token)
    }

    @Test func mixedModeNetworkAllowsBothKindsOfEach() throws {
        let network = WiFiCredential(
            ssid: Array("x".utf8), networkKey: Array("12345678".utf8), authentication: [.wpaPersonal, .wpa2Personal],
            encryption: [.tkip, .aes])
        let record = try WiFiRecord(networks: [network]).record()
        #expect(record.payload.count == 4 + 44)
        #expect(Array(record.payload[14..<26]) == hex("10 03 00 02 00 22  10 0F 00 02 00 0C"))
        #expect(record.content == .wifi(WiFiRecord(networks: [network])))
    }

    @Test(arguments: [
        ("10 0E", "A WSC attribute's header is truncated."),
        ("10 0E 00 05 10 45 00 01", "WSC attribute 100Eh needs 5 bytes; 4 are left."),
        ("10 0E FF FF", "WSC attribute 100Eh needs 65535 bytes; 0 are left."),
        ("10 0E 00 04 10 45 00 01", "WSC attribute 1045h needs 1 byte; 0 are left."),
        ("10 0E 00 00", "The Wi-Fi credential holds no SSID."),
        ("10 0E 00 09 10 45 00 00 10 03 00 01 20", "WSC attribute 1003h is not 2 bytes."),
        ("10 0E 00 09 10 45 00 00 10 20 00 01 20", "The Wi-Fi MAC address is not 6 bytes."),
    ])
    func brokenTokenIsMalformedWithAReason(payload: String, reason: String) {
        #expect(NDEFRecord.of(.media, type: wscType, hex(payload)).content == .malformed(reason: reason))
    }

    @Test func attributesThatComeTwiceAreKept() throws {
        let record = NDEFRecord.of(.media, type: wscType, hex("10 0E 00 0A 10 45 00 01 61 10 45 00 01 62"))
        let token = try WiFiRecord(record: record)
        #expect(token.networks.map(\.ssid) == [hex("61")])
        #expect(try token.record() == record)
    }

    @Test func tokenCutShortNeverHoldsBothNetworksWhole() throws {
        let payload = Array(wifiBytes.dropFirst(3 + wscType.count))
        for count in 0..<payload.count - 10 {
            let cut = NDEFRecord.of(.media, type: wscType, Array(payload.prefix(count))).content
            #expect(cut != .wifi(WiFiRecord(networks: token.networks)))
        }
    }

    @Test(arguments: [
        (33, 0, 6, "The Wi-Fi SSID is longer than 32 bytes."), (32, 65, 6, "The Wi-Fi key is longer than 64 bytes."),
        (32, 64, 5, "The Wi-Fi MAC address is not 6 bytes."),
    ])
    func fieldsOfWrongLengthAreNotWritten(ssid: Int, key: Int, mac: Int, reason: String) {
        let network = WiFiCredential(
            ssid: [UInt8](repeating: 1, count: ssid), networkKey: [UInt8](repeating: 1, count: key),
            authentication: .open, encryption: .none, macAddress: [UInt8](repeating: 1, count: mac))
        let error = #expect(throws: ContentError.self) { try WiFiRecord(networks: [network]).record() }
        #expect(error?.reason == reason)
    }

    @Test func attributeLongerThan65535BytesIsNotWritten() {
        let token = WiFiRecord(networks: [], others: [WSCAttribute(id: 1, value: [UInt8](repeating: 0, count: 65536))])
        #expect(throws: ContentError("A WSC attribute's value is longer than 65535 bytes.")) { try token.record() }
    }
}
