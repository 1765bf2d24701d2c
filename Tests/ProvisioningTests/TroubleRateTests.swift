// Trouble with several different tags is caused by the antenna

import Testing

@testable import Provisioning

@Suite struct TroubleRateTests {
    @Test("Three different tags in trouble among ten are reported once") func several() {
        var rate = TroubleRate()
        for tag in UInt8(0)..<2 { rate.note([tag], hadTrouble: true) }
        #expect(rate.takeAlarm() == nil)
        rate.note([7], hadTrouble: false)
        rate.note([8], hadTrouble: true)
        let alarm = rate.takeAlarm()
        #expect(alarm?.troubled == 3)
        #expect(alarm?.of == 4)
        rate.note([9], hadTrouble: true)
        #expect(rate.takeAlarm() == nil)
    }

    @Test("After an alarm, a good tag restarts the count, and the next three are reported again") func anew() {
        var rate = TroubleRate()
        for tag in UInt8(0)..<3 { rate.note([tag], hadTrouble: true) }
        #expect(rate.takeAlarm()?.troubled == 3)
        rate.note([9], hadTrouble: false)
        for tag in UInt8(10)..<12 { rate.note([tag], hadTrouble: true) }
        #expect(rate.takeAlarm() == nil)
        rate.note([12], hadTrouble: true)
        let alarm = rate.takeAlarm()
        #expect(alarm?.troubled == 3 && alarm?.of == 4)
    }

    @Test("One tag that leaves again and again is one tag") func one() {
        var rate = TroubleRate()
        for _ in 0..<20 { rate.note([1], hadTrouble: true) }
        #expect(rate.takeAlarm() == nil)
    }
}
