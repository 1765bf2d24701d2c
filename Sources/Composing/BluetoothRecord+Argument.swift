// The value of --bluetooth: `00:0D:3C:01:02:03;name=Headset` — Docs/CommandLine.md, Records

import Hexadecimal
import NDEF

extension BluetoothRecord {
    /// Reads an address, with colons, dashes or neither, and perhaps a name.
    init(argument: String) throws(ContentError) {
        let parts = argument.split(separator: ";", maxSplits: 1, omittingEmptySubsequences: false)
        guard let address = try? HexText.bytes((parts.first ?? "").utf8, separators: ":- "), address.count == 6 else {
            throw ContentError(
                "The address must be 6 bytes in hexadecimal, such as 00:0D:3C:01:02:03. To add a name, append ;name=Headset"
            )
        }
        let list = try FieldList(parts.count == 2 ? String(parts[1]) : "", names: ["name"])
        guard list["name"]?.utf8.count ?? 0 <= 248 else {
            throw ContentError("The name is longer than 248 bytes.")
        }
        self.init(address: address, name: list["name"])
    }

    /// The device behind a Handover Select record, as phones look for it.
    ///
    /// - Parameter index: tells the devices of one message apart.
    func records(index: Int) throws(ContentError) -> [NDEFRecord] {
        let reference = Array("\(index)".utf8)
        var device = try record()
        device.identifier = reference
        let handover = HandoverRecord(role: .select, version: 0x12, carriers: [.init(reference: reference)])
        return [try handover.record(), device]
    }
}
