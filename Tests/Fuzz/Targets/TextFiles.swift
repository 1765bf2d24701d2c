// Text files that users or the system write — Docs/BackgroundReading.md, Docs/CommandLine.md

import Composing
import Foundation
import TagRules
import TagTypes

@testable import USBReaders

extension FuzzTarget {
    static let textFiles = [
        FuzzTarget(
            "rules",
            texts: [
                #"{"type": "T", "run": "echo"}"# + "\n# x\n"
                    + #"{"uri":"https://example.com/*","uid":"04A1B2C3D4E580","run":"a"}"#
            ]
        ) { text in
            try InputFolder.withFile("rules", Array(text.utf8)) { path in _ = try? RuleFile(path: path).read() }
        },
        FuzzTarget(
            "reader-labels",
            texts: [
                "desk = usb:1-2.3\n# x\nshop = serial:AB12 # y\na=pcsc:ACS ACR122U 00 00\nb=pn532_uart:/dev/ttyUSB0\n"
            ]
        ) { text in
            guard let labels = try? ReaderLabels(text: text, file: "readers") else { return }
            for entry in labels.entries {
                try require(labels.target(of: entry.label) == entry.target, "the label is found for another reader")
            }
        },
        FuzzTarget(
            "system-files",
            texts: [
                #"ATTRS{idVendor}=="072f", ATTRS{idProduct}=="2200", MODE="0660", TAG+="uaccess""#,
                "<key>ifdVendorID</key><array><string>0x072F</string></array>"
                    + "<key>ifdProductID</key><array><string>0x2200</string></array>", "1-2.3.4",
            ]
        ) { text in
            _ = UdevTerm.terms(of: text)
            _ = SmartCardDriver(name: "libccid", propertyList: text)
            if let port = PortPath(text) { try require(PortPath("\(port)") == port, "the port differs after writing") }
        },
        FuzzTarget(
            "libnfc-settings",
            texts: [
                "allow_autoscan = true\ndevice.name = \"x\"\ndevice.connstring = \"pn532_uart:/dev/ttyUSB0\"\nlog_level = 1\n"
            ]
        ) { text in
            let folder = InputFolder.path.appending(path: "root/etc/nfc")
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data(text.utf8).write(to: folder.appending(path: "libnfc.conf"))
            _ = LibNFCConfiguration(
                root: SystemRoot(path: InputFolder.path.appending(path: "root").path), environment: [:])
        },
        FuzzTarget(
            "password-text", texts: ["A1B2C3D4:0000\n", "a1b2c3d4", "00112233445566778899AABBCCDDEEFF", "A1B2C3D4:"]
        ) { text in
            guard let credential = PasswordText.credential(text) else { return }
            switch credential {
            case .password(let password): try require(password.pwd.count == 4, "the password has the wrong length")
            case .key(let key): try require(key.bytes.count == 16, "the key has the wrong length")
            }
        },
        FuzzTarget("raw-command", texts: ["30 04", "00A4040007D276000085010100=9000", "00B0000000=90xx"]) { text in
            if let command = try? RawCommand.own(text) {
                try require(command.bytes.count <= text.utf8.count, "there are more bytes than characters")
            }
            guard let command = try? RawCommand.apdu(text) else { return }
            _ = command.expected?.matches(.success)
            _ = command.expected.map { "\($0)" }
        },
    ]
}
