// The factory of virtual tags, and the activation states of ISO/IEC 14443-3

import Testing
@testable import VirtualPN532

@Suite struct VirtualTagKindTests {
    @Test func defaultUIDsAreDistinctByKindAndSerial() {
        let uids = VirtualTagKind.allCases.flatMap { kind in (0..<300).map { kind.make(serial: $0).identifier } }
        #expect(Set(uids).count == uids.count)
        for uid in uids where uid.count == 7 {
            #expect(uid[0] == 0x04 || uid[0] == 0x02)
            #expect(uid[3] != 0x88)
        }
    }

    @Test func givenUIDIsUsed() {
        for kind in VirtualTagKind.allCases {
            let uid = Array(bytes("04 A1 B2 C3 D4 E5 80 01 02 03").prefix(kind.make().identifier.count))
            #expect(kind.make(uid: uid).identifier == uid)
        }
    }

    @Test func demonstrationHoldsTextAndURI() throws {
        let tag = try #require(VirtualTagKind.demonstration() as? VirtualType2Tag)
        let message =
            "03 29 91 01 15 54 02 65 6E 48 65 6C 6C 6F 20 66 72 6F 6D 20 6E 66 63 74 6F 6F 6C "
            + "51 01 0C 55 04 65 78 61 6D 70 6C 65 2E 63 6F 6D FE"
        #expect(tag.activate().send("3A 03 0E").hasPrefix("E1 10 3E 00 " + message))
    }

    @Test func activationStates() {
        var state = ActivationState()
        state.select()
        #expect(state.state == .idle)
        #expect(state.poll(wakeUp: false) == true)
        #expect(state.state == .ready)
        state.fallBack()
        #expect(state.state == .idle)
        #expect(state.poll(wakeUp: true) == true)
        state.select()
        #expect(state.isActive)
        // In ACTIVE, a poll is an error, which causes silence and IDLE.
        #expect(state.poll(wakeUp: true) == false)
        #expect(state.state == .idle)
        #expect(state.poll(wakeUp: false) == true)
        state.select()
        state.halt()
        #expect(state.state == .halt)
        #expect(state.poll(wakeUp: false) == false)
        #expect(state.poll(wakeUp: true) == true)
        state.fallBack()
        #expect(state.state == .halt)
        state.powerOff()
        #expect(state.state == .idle)
    }
}
