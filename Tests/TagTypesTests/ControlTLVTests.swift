// Lock and Memory Control TLVs that do not fit the tag
import ReaderInterface
import Testing

@testable import TagTypes

@Suite struct ControlTLVTests {
    private func tag(_ card: any Card) -> Type2Tag { Type2Tag(on: RecordingChannel(card), patience: .instant) }

    @Test(
        "A tag whose control TLV names bytes outside its memory is read with a warning, and not written",
        arguments: ["0103FF0C3F", "0203FF0C0F", "0103100C30"])
    func unsoundControl(control: String) throws {
        let card = Type2Card.ntag213(bytes(control) + tlv(message(10)))
        let tag = tag(card)
        #expect(try tag.readNDEF() == message(10))
        let state = try tag.detect()
        #expect(state.status == .readOnly)
        #expect(state.reason?.contains("Control TLV at byte 16 names bytes") == true)
        guard case .readOnly? = error({ () throws(TagError) in try tag.writeNDEF([1]) }),
            case .cannotMakeReadOnly? = error({ () throws(TagError) in try tag.makeReadOnly() })
        else {
            Issue.record("a tag with a wrong description was written")
            return
        }
        #expect(card.writes.isEmpty)
    }

    @Test(
        "A known chip whose Lock Control TLV has a wrong length is read with a warning, and not written",
        arguments: [("0100", 0), ("0102A00C", 2), ("0104A00C3400", 4), ("0104A00C3400 0103A00C34", 4)])
    func lockControlOfAnotherLength(control: String, length: Int) throws {
        let card = Type2Card.ntag213(bytes(control) + tlv(message(10)))
        let tag = tag(card)
        #expect(try tag.readNDEF() == message(10))
        let reason = "its Lock Control TLV at byte 16 has \(length) bytes instead of 3"
        let state = try tag.detect()
        #expect(state.status == .readOnly && state.reason == reason)
        #expect(error { () throws(TagError) in try tag.writeNDEF([1]) } == .readOnly(reason: reason))
        #expect(error { () throws(TagError) in try tag.makeReadOnly() } == .cannotMakeReadOnly(reason: reason))
        #expect(card.writes.isEmpty)
    }

    @Test(
        "A Lock Control TLV of a wrong length that leads to no message is an error",
        arguments: ["0102A00C34 0303D00000", "0106A00C34 0300FE", "0104A00C3400", "0104A00C3400 FE"])
    func lockControlBeforeNoMessage(memory: String) {
        let card = Type2Card.ntag213(bytes(memory))
        guard case .protocolViolation("Lock Control TLV length", _, "3", _)? = error(tag(card).detect) else {
            Issue.record("\(memory): \(String(describing: error(tag(card).detect)))")
            return
        }
        #expect(card.writes.isEmpty)
    }

    @Test("A Lock Control TLV of a wrong length on an unknown chip, and a wrong Memory Control TLV, are errors")
    func lockControlOfAnUnknownChip() {
        let unknown = Type2Card.ultralight(bytes("0104A00C3400") + tlv(message(10)))
        let memory = Type2Card.ntag213(bytes("0204A00C3400") + tlv(message(10)))
        for card in [unknown, memory] {
            guard case .protocolViolation? = error(tag(card).detect) else {
                Issue.record("a message was read")
                continue
            }
        }
    }
}
