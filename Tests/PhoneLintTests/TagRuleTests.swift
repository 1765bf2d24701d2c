// The rules about tags: a tag as delivered has no findings, and each change adds one

import Chips
import NDEF
import PhoneLint
import Testing

@Suite struct TagRuleTests {
    /// A tag that holds a web page, and how phones handle it.
    ///
    /// The sources are with the rules.
    static let rows: [(what: String, tag: TagFacts, findings: [String])] = [
        ("as delivered", .ntag213, []),
        ("NTAG213F as delivered", .ntag213.with { $0.chip = ChipModel(version: hex("0004040401000F03")) }, []),
        (
            "NTAG216 as delivered, without Lock Control TLV",
            .ntag213.with {
                ($0.chip, $0.capabilityContainer, $0.dataArea) = (.ntag216, hex("E1106D00"), hex("0300FE"))
            },
            []
        ),
        ("without Lock Control TLV", .ntag213.with { $0.dataArea = hex("0300FE") }, ["lockControlTLV hint android"]),
        // adafruit/Adafruit-PN532 #34.
        (
            "with the TLV of another chip", .ntag213.with { $0.dataArea = hex("0103A010 440300FE") },
            ["lockControlTLV warning android"]
        ),
        ("with NULL TLVs before it", .ntag213.with { $0.dataArea = hex("00 00 0103A00C34 0300FE") }, []),
        ("with a TLV cut off", .ntag213.with { $0.dataArea = hex("0103A0") }, ["lockControlTLV warning android"]),
        ("with memory that cannot be read", .ntag213.with { $0.dataArea = [] }, []),
        // nfcpy #236: the password feature sets 08, or 88 for reading.
        (
            "nfcpy's write password",
            .ntag213.with { ($0.capabilityContainer, $0.status) = (hex("E1101208"), .readOnly) },
            ["accessConditions error ios", "accessConditions hint android"]
        ),
        (
            "nfcpy's read password",
            .ntag213.with { ($0.capabilityContainer, $0.status) = (hex("E1101288"), .notSupported) },
            ["accessConditions error ios,android"]
        ),
        ("PROT", .ntag213.with { $0.password = .reading }, ["readPassword error ios,android"]),
        ("a password for writing", .ntag213.with { $0.password = .writing }, ["writeProtection hint ios,android"]),
        (
            "lock bits alone", .ntag213.with { ($0.isLocked, $0.status) = (true, .readOnly) },
            ["writeProtection warning ios,android"]
        ),
        (
            "read-only by word alone",
            .ntag213.with { ($0.capabilityContainer, $0.status) = (hex("E110120F"), .readOnly) },
            ["writeProtection hint ios,android"]
        ),
        (
            "locked",
            .ntag213.with { ($0.capabilityContainer, $0.status, $0.isLocked) = (hex("E110120F"), .readOnly, true) }, []
        ),
        (
            "version 2", .ntag213.with { ($0.capabilityContainer, $0.status) = (hex("E1201200"), .notSupported) },
            ["mappingVersion error ios,android"]
        ),
        (
            "an NTAG213 sold as NTAG215", .ntag213.with { $0.capabilityContainer = hex("E1103E00") },
            ["dataAreaSize error ios,android"]
        ),
        (
            "blank", .ntag213.with { ($0.capabilityContainer, $0.status) = (hex("00000000"), .notSupported) },
            ["noNDEFData error ios,android"]
        ),
        (
            "without NDEF TLV", .ntag213.with { ($0.dataArea, $0.status) = (hex("FE"), .notSupported) },
            ["noNDEFData error ios,android"]
        ),
        ("no tag", TagFacts(kind: nil, status: .notSupported), ["noNDEFData error ios,android"]),
        (
            "MIFARE Classic", TagFacts(kind: .mifareClassic, status: .readWrite),
            ["mifareClassic error ios", "mifareClassic warning android"]
        ),
        (
            "MIFARE Classic without NDEF", TagFacts(kind: .mifareClassic, status: .notSupported),
            ["mifareClassic error ios", "mifareClassic warning android"]
        ),
        ("Type 4", TagFacts(kind: .type4, status: .readWrite, fileReadAccess: 0), []),
        (
            "Type 4 with limited reading", TagFacts(kind: .type4, status: .notSupported, fileReadAccess: 0x80),
            ["accessConditions error ios,android"]
        ),
        ("Type 5", vicinity("E1402709"), []),
        ("Type 5 with a container of 8 bytes", vicinity("E2400001000000FF"), []),
        ("Type 5 of version 2", vicinity("E1802709", .notSupported), ["mappingVersion error ios,android"]),
        ("Type 5 with limited reading", vicinity("E1442709", .notSupported), ["accessConditions error ios,android"]),
        ("Type 5 with limited writing", vicinity("E1422709", .readOnly), ["accessConditions hint ios,android"]),
        ("Type 5, read-only by word alone", vicinity("E1432709", .readOnly), ["writeProtection hint ios,android"]),
        ("Type 5, locked", vicinity("E1432709", .readOnly, isLocked: true), []),
        (
            "Type 5 with locked blocks alone", vicinity("E1402709", .readOnly, isLocked: true),
            ["writeProtection warning ios,android"]
        ),
        ("Type 5, blank", vicinity("", .notSupported), ["noNDEFData error ios,android"]),
    ]

    private static func vicinity(
        _ container: String, _ status: TagFacts.Status = .readWrite, isLocked: Bool = false
    ) -> TagFacts {
        TagFacts(kind: .type5, status: status, capabilityContainer: hex(container), isLocked: isLocked)
    }

    @Test(arguments: rows)
    func tagIsJudged(_ what: String, _ tag: TagFacts, _ findings: [String]) {
        let message = tag.status == .notSupported ? nil : NDEFMessage(records: [.page])
        #expect(PhoneLint().findings(in: message, on: tag).map(\.row) == findings)
    }

    @Test func anErasedTagIsEmptyAndABlankOneIsNot() {
        let nothing = NDEFMessage(records: [])
        #expect(PhoneLint().findings(in: nothing, on: .ntag213).map(\.rule) == ["emptyMessage"])
        let blank = TagFacts.ntag213.with { ($0.capabilityContainer, $0.status) = ([], .notSupported) }
        #expect(PhoneLint().findings(in: nothing, on: blank).map(\.rule) == ["noNDEFData"])
    }

    @Test func aLongMessageThatIsOnATagFits() {
        let message = NDEFMessage(records: [.page, .media("image/png", Array(repeating: 0, count: 900))])
        #expect(PhoneLint().findings(in: message, on: TagFacts(kind: .type4, status: .readWrite)).isEmpty)
    }

    @Test func everyRuleIsBrokenBySomeRow() {
        let messages = MessageRuleTests.rows.flatMap(\.findings)
        let rules = Set((messages + Self.rows.flatMap(\.findings)).compactMap { $0.split(separator: " ").first })
        #expect(rules == Set(PhoneLint.ruleNames.map { $0[...] }))
        #expect(Set(PhoneLint.ruleNames).count == PhoneLint.ruleNames.count)
    }
}
