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
}
