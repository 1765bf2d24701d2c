// The value of --bluetooth: `00:0D:3C:01:02:03;name=Headset` — Docs/CommandLine.md, Records

import Hexadecimal
import NDEF

extension BluetoothRecord {
    /// Parses an address, with colons, dashes or no separators, and an optional name.
    init(argument: String) throws(ContentError) {
        let parts = EscapedParts(argument).texts
        guard let address = try? HexText.bytes(parts[0].utf8, separators: ":- "), address.count == 6 else {
            throw ContentError(
                "The address must be 6 bytes in hexadecimal, such as 00:0D:3C:01:02:03. To add a name, append ;name=Headset"
            )
        }
        let list = try FieldList(Array(parts.dropFirst()), names: ["name"])
        guard list["name"]?.utf8.count ?? 0 <= 248 else {
            throw ContentError("The name is longer than 248 bytes.")
        }
        self.init(address: address, name: list["name"])
    }

    /// A Handover Select record and the record of the device, in the order that phones expect.
    ///
    /// - Parameter index: the ID of the device's record; unique in the message.
    /// - Returns: the Handover Select record, which refers to the device by the index, then the device's record.
    /// - Throws: `ContentError` when a field of the device cannot be encoded.
    func records(index: Int) throws(ContentError) -> [NDEFRecord] {
        let reference = Array("\(index)".utf8)
        var device = try record()
        device.identifier = reference
        let handover = HandoverRecord(role: .select, version: 0x12, carriers: [.init(reference: reference)])
        return [try handover.record(), device]
    }
}
