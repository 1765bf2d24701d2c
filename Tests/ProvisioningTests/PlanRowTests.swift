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

    /// The settings that a later station gives for a plan, and whether the plan has all of them.
    @Test(arguments: [
        (["--lang en", "--overwrite always", "--lock"], true), (["--lang en", "--overwrite never"], true),
        (["--lang de", "--overwrite never", "--lock"], true), (["--lang fr", "--overwrite never", "--lock"], false),
        (["--lang en", "--overwrite never", "--protect"], false),
        (["--lang en", "--overwrite never", "--require NTAG213"], false),
        (["--uri https://example.com/{id}", "--lang de", "--overwrite never", "--lock"], false),
    ])
    func settingsWithoutRecordsAreThoseOfThePlan(recipe: [String], isRepeated: Bool) {
        let plan = PlanIdentity(
            file: "a.csv", sha256: "",
            recipe: ["--uri https://example.com/{id}", "--lang de", "--overwrite never", "--lock"])
        let own = PlanIdentity(file: "a.csv", sha256: "", recipe: recipe)
        #expect(plan.namesRecords && own.repeatsSettings(of: plan) == isRepeated)
    }
}
