// The tag types that activation bytes identify
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct TagDetectionTests {
    /// SAK values of NXP AN10833.
    @Test(arguments: [
        (UInt8(0x00), "Type 2 Tag", TagType.type2, true), (0x20, "Type 4 Tag", .type4, true),
        (0x28, "Type 4 Tag", .type4, true), (0x08, "MIFARE Classic (SAK 08)", .mifareClassic, true),
        (0x18, "MIFARE Classic (SAK 18)", .mifareClassic, true),
        (0x09, "MIFARE Classic (SAK 09)", .mifareClassic, true),
        (0x10, "MIFARE Plus in security level 2 (SAK 10)", nil, false), (0x40, "NFC-DEP target (SAK 40)", nil, false),
        (0x01, "NFC-A target (SAK 01)", nil, false),
    ])
    func selResNamesTheType(sak: UInt8, name: String, type: TagType?, isHandled: Bool) throws {
        let target = Target.nfcA(NFCATarget(sensRes: [0, 4], selRes: sak, nfcID1: [1, 2, 3, 4]))
        let found = TagDetection.tagType(of: target)
        #expect(found.name == name)
        #expect(found.type == type)
        #expect((found.notHandled == nil) == isHandled)
        let tag = TagDetection.tag(on: ScriptedChannel(target, []))
        #expect(tag.type == type)
        if !isHandled {
            #expect(try tag.detect().status == .notSupported)
            #expect(throws: TagError.self) { try tag.readNDEF() }
        }
    }

    @Test func otherTechnologiesAreNamed() {
        let felica = Target.nfcF(NFCFTarget(nfcID2: [], pad: [], systemCode: []))
        #expect(TagDetection.tagType(of: felica).name == "Type 3 Tag")
        #expect(TagDetection.tag(on: ScriptedChannel(felica, [])) is Type3Tag)
        #expect(TagDetection.tagType(of: .jewel(JewelTarget(sensRes: [], uid: []))).name == "Type 1 Tag")
        let withISODEP = NFCBTarget(nfcID0: [], applicationData: [], protocolInfo: [0x00, 0x21, 0x00])
        #expect(TagDetection.tagType(of: .nfcB(withISODEP)).type == .type4)
        #expect(
            TagDetection.tagType(of: .nfcB(NFCBTarget(nfcID0: [], applicationData: [], protocolInfo: []))).type == nil)
    }
}
