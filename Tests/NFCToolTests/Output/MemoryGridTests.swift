// A tag's memory as people and scripts see it

import ReaderInterface
import Terminal
import Testing

@testable import MemoryPresentation
@testable import TagTypes

@Suite struct MemoryGridTests {
    /// A memory like that of an NTAG213, but much shorter, with one record.
    static let type2: MemoryMap = {
        var map = MemoryMap()
        let rows: [(String, MemoryMap.Role, [UInt8]?)] = [
            ("uid", .uid, [0x04, 0xA1, 0xB2, 0x9F]), ("uid", .uid, [0xC3, 0xD4, 0xE5, 0x80]),
            ("lock", .lock, [0x72, 0x48, 0x0F, 0x00]), ("cc", .capabilityContainer, [0xE1, 0x10, 0x06, 0x00]),
            ("tlv", .tlv, [0x03, 0x05, 0xD1, 0x01]), ("ndef", .ndef, Array("\u{1}U\u{4}A".utf8)),
        ]
        map.blocks = rows.enumerated().map { MemoryMap.Block(number: $0, bytes: $1.2, role: $1.1, isLocked: $0 == 3) }
        map.blocks += (6..<18).map { MemoryMap.Block(number: $0, bytes: [0, 0, 0, 0], role: .free, isLocked: false) }
        map.blocks.append(MemoryMap.Block(number: 18, bytes: nil, role: .password, isLocked: false))
        map.capabilityContainer = [0xE1, 0x10, 0x06, 0x00]
        map.fields = [MemoryMap.Field(name: "version", value: "1.0")]
        map.dynamicLock = MemoryMap.DynamicLock(address: 64, bitCount: 8, blocksPerBit: 2, bytes: nil)
        map.password = MemoryMap.PasswordProtection(auth0: 0x04, access: 0xC3)
        return map
    }()

    static let type4: MemoryMap = {
        var map = MemoryMap()
        map.capabilityContainer = [0x00, 0x0F]
        map.fields = [MemoryMap.Field(name: "CCLEN", value: "15"), MemoryMap.Field(name: "MLe", value: "127")]
        map.files = [
            MemoryMap.File(identifier: 0xE103, kind: "CC", size: 15, readAccess: 0x00, writeAccess: 0xFF),
            MemoryMap.File(identifier: 0xE104, kind: "NDEF", size: 1024, readAccess: 0x00, writeAccess: 0x80),
        ]
        return map
    }()

    @Test func inAPipeEachBlockIsALineAndEqualOnesAreOne() {
        #expect(
            MemoryGrid(Self.type2, originality: .notSupported, style: .plain).text == """
                      0  04 A1 B2 9F  ....  UID
                      1  C3 D4 E5 80  ....  UID
                      2  72 48 0F 00  rH..  lock bits
                      3  E1 10 06 00  ....  capability container, locked
                      4  03 05 D1 01  ....  TLV, password to read and write
                      5  01 55 04 41  .U.A  NDEF, password to read and write
                   6-17  00 00 00 00  ....  free, password to read and write
                     18  ·· ·· ·· ··        password, password to read and write
                Capability container  E1 10 06 00: version 1.0
                Dynamic lock bits     not readable: 8 bits in block 16, each for 2 blocks, from block 16 onwards
                Password              needed to read and write from block 4 onwards, at most 3 wrong attempts, configuration locked
                Signature             not supported by this chip
                """)
    }

    @Test func onATerminalBlocksAreAGridWithALegend() {
        #expect(
            MemoryGrid(Self.type2, originality: .notSupported, style: .terminal()).text.withoutColours
                == """
                    0 │ 04 A1 B2 9F  C3 D4 E5 80  72 48 0F 00  E1 10 06 00 │ ........rH......
                    4 │ 03 05 D1 01  01 55 04 41  00 00 00 00  00 00 00 00 │ .....U.A........
                    8 │ 00 00 00 00  00 00 00 00  00 00 00 00  00 00 00 00 │ ................
                    ⋮ │ 12 to 15 hold the same
                   16 │ 00 00 00 00  00 00 00 00  ·· ·· ·· ··              │ ........

                 ■ UID   ■ lock bits   ■ capability container   ■ TLV   ■ NDEF   ■ free
                 ■ password   00 locked   ·· not readable

                 Capability container  E1 10 06 00: version 1.0
                 Dynamic lock bits     not readable: 8 bits in block 16, each for 2 blocks, from
                                       block 16 onwards
                 Password              needed to read and write from block 4 onwards, at most 3
                                       wrong attempts, configuration locked
                 Signature             not supported by this chip
                """)
    }

    @Test(arguments: [(2, "7 holds the same"), (3, "7 to 8 hold the same")])
    func equalLinesAreOneOnATerminal(count: Int, text: String) {
        var map = MemoryMap()
        map.blocks = (6..<6 + count).map { .init(number: $0, bytes: [0, 0, 0, 0], role: .free, isLocked: false) }
        let lines = MemoryGrid(map, originality: nil, style: .terminal(40)).text.withoutColours.split(separator: "\n")
        #expect(lines.prefix(2) == ["    6 │ 00 00 00 00 │ ....", "    ⋮ │ \(text)"])
    }

    @Test(arguments: [
        MemoryMap.Role.uid, .lock, .capabilityContainer, .tlv, .ndef, .free, .reserved, .configuration, .password,
        .counter, .directory, .trailer,
    ])
    func everyRoleIsInTheLegendAndInColour(_ role: MemoryMap.Role) {
        var map = MemoryMap()
        map.blocks = [MemoryMap.Block(number: 0, bytes: [1, 2, 3, 4], role: role, isLocked: false)]
        let text = MemoryGrid(map, originality: .notSupported, style: .terminal()).text
        #expect(text.withoutColours.split(separator: "\n").contains { $0.hasSuffix("■ \(role.name)") })
        // Keys and passwords are secret.
        switch role {
        case .trailer: #expect(text.contains("m·· ·· ··"))
        case .password: #expect(text.contains("m** ** ** **\u{1B}[0m"))
        default: #expect(text.contains("m01 02 03 04\u{1B}[0m"))
        }
    }

    /// A tag returns zeros for its password, and all chips are delivered with the same password.
    @Test(arguments: [[UInt8](repeating: 0, count: 4), [0xFF, 0xFF, 0xFF, 0xFF]])
    func aPasswordThatIsNoneIsShown(_ bytes: [UInt8]) {
        var map = MemoryMap()
        map.blocks = [MemoryMap.Block(number: 43, bytes: bytes, role: .password, isLocked: false)]
        #expect(!MemoryGrid(map, originality: nil, style: .terminal()).text.contains("**"))
    }

    @Test(arguments: [20, 30, 50, 80, 200])
    func gridFitsTheTerminal(_ width: Int) {
        for line in MemoryGrid(Self.type2, originality: .notSupported, style: .terminal(width)).text.withoutColours
            .split(separator: "\n")
        {
            #expect(line.columns <= max(width, 40), "\(line)")
        }
    }

    @Test func filesAreATable() {
        #expect(
            MemoryGrid(Self.type4, originality: .notSupported, style: .terminal()).text.withoutColours == """
                 Capability container  00 0F: CCLEN 15, MLe 127

                 File │ Kind │ Size       │ Read │ Write
                 E103 │ CC   │ 15 bytes   │ free │ never
                 E104 │ NDEF │ 1024 bytes │ free │ limited (80)
                """)
    }

    @Test func filesShowTheRightsOfTheChipWhereTheyAreKnown() {
        typealias Rights = NativeFileSettings.AccessRights
        var map = Self.type4
        map.files[0].rights = Rights(read: .free, write: .key(0), readWrite: .key(0), change: .key(0))
        map.files[1].rights = Rights(read: .key(2), write: .never, readWrite: .key(3), change: .never)
        map.files.append(
            MemoryMap.File(identifier: 0xE105, kind: "proprietary", size: 128, readAccess: 0x82, writeAccess: 0x83))
        map.files[2].rights = Rights(read: .never, write: .never, readWrite: .never, change: .never)
        #expect(
            MemoryGrid(map, originality: .notSupported, style: .plain).text.hasSuffix(
                """
                File  Kind         Size        Read        Write
                E103  CC           15 bytes    free        key 0
                E104  NDEF         1024 bytes  key 2 or 3  key 3
                E105  proprietary  128 bytes   never       never
                """))
    }

    @Test func oddMapsAreShownAsTheyAre() {
        var map = MemoryMap()
        #expect(MemoryGrid(map, originality: .notSupported, style: .terminal()).text.isEmpty)
        map.blocks = [
            MemoryMap.Block(number: 7, bytes: [], role: .free, isLocked: true),
            MemoryMap.Block(number: -1, bytes: [1, 2, 3, 4, 5, 6], role: .counter, isLocked: false),
        ]
        map.password = MemoryMap.PasswordProtection(auth0: 0xFF, access: 0xFF)
        map.dynamicLock = MemoryMap.DynamicLock(address: -1, bitCount: .max, blocksPerBit: .min, bytes: [])
        map.files = [MemoryMap.File(identifier: 0, kind: "\u{1B}", size: .max, readAccess: 1, writeAccess: 1)]
        for style in [Style.plain, .terminal(20), .terminal()] {
            let text = MemoryGrid(map, originality: .notSupported, style: style).text.withoutColours
            #expect(text.contains("protects nothing"))
            #expect(text.contains("\\u{1B}"))
        }
    }

    @Test func memoryInJSONHasNullForWhatCannotBeRead() throws {
        var map = MemoryMap()
        map.blocks = [Self.type2.blocks[3], Self.type2.blocks[18]]
        map.password = Self.type2.password
        map.dynamicLock = Self.type2.dynamicLock
        map.capabilityContainer = [0xE1, 0x10, 0x06, 0x00]
        map.fields = Self.type2.fields
        map.files = [Self.type4.files[0]]
        #expect(
            try JSONLine.string(MemoryReport(map))
                == #"{"blocks":[{"bytes":"E1100600","locked":true,"number":3,"protected":false,"role":"capabilityContainer"},"#
                + #"{"bytes":null,"locked":false,"number":18,"protected":true,"role":"password"}],"capabilityContainer":"E1100600","#
                + #""dynamicLock":{"address":64,"bitCount":8,"blocksPerBit":2,"bytes":null},"#
                + #""fields":[{"name":"version","value":"1.0"}],"#
                + #""files":[{"identifier":"E103","kind":"CC","readAccess":"00","size":15,"writeAccess":"FF"}]}"#
        )
    }
}
