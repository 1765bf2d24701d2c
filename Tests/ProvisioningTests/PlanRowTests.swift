// A row of a plan as a value

import Provisioning
import Testing

struct PlanRowTests {
    @Test func aColumnIsFoundByItsName() {
        let row = PlanRow(
            number: 1, line: 2, fields: [PlanField(name: "id", value: "7"), PlanField(name: "url", value: "")])
        #expect(row["id"] == "7")
        #expect(row["url"] == "")
        #expect(row["ID"] == nil)
    }
}
