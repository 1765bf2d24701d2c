// Plans for tags that sign their URLs: templates, columns, and invalid combinations

import Composing
import SecureDynamicMessaging
import Testing

@testable import Provisioning

@Suite struct DynamicRecipeTests {
    private static func recipe(
        _ template: String, _ settings: RowSettings = RowSettings(), _ options: [RecordOption] = []
    ) throws(PlanError) -> RowRecipe {
        try RowRecipe(
            options: options, settings: settings,
            dynamic: DynamicRecipe(template: template, keys: .factory, keyVersion: 3))
    }

    private static func row(_ fields: (String, String)...) -> PlanRow {
        PlanRow(number: 5, line: 6, fields: fields.map { PlanField(name: $0.0, value: $0.1) })
    }

    @Test func columnsAreFilledInAndTheTagsPlacesStay() throws {
        let recipe = try Self.recipe("https://example.com/{id}/{n:03}?u={uid}&n={counter}&c={mac}")
        let order = try recipe.order(for: Self.row(("id", "a b")))
        let layout = try #require(try order.dynamic()).layout
        #expect(layout.template.text == "https://example.com/a%20b/005?u={uid}&n={counter}&c={mac}")
        #expect(
            layout.address == "https://example.com/a%20b/005?u=00000000000000&n=000000&c=0000000000000000")
        #expect(order.isOfUID && !order.hasTokens)
        #expect(recipe.lines.contains("--key-version 3") && recipe.lines.contains { $0.hasPrefix("--sdm https://") })
        let plan = PlanIdentity(file: "", sha256: "", recipe: recipe.lines)
        #expect(plan.keyVersion == 3 && plan.dynamicTemplate?.hasPrefix("https://example.com/{id}") == true)
    }

    @Test(arguments: [
        "https://example.com/{id}", "https://example.com/{uid:lower}{mac}", "https://example.com/{uid:mirror}{mac}",
        "https://example.com/{{{picc}{mac}", "https://example.com/{picc}{mac}{mac}", "https://example.com/{mac}{picc",
        "{id}{picc}{mac}",
    ])
    func aTemplateThatNoTagKnowsIsRefused(template: String) {
        #expect(throws: PlanError.self) { try Self.recipe(template) }
        do throws(PlanError) { _ = try Self.recipe(template) } catch {
            #expect("\(error)".hasPrefix("--sdm: "), "\(error)")
        }
    }

    @Test func whatDoesNotGoTogetherIsRefused() throws {
        let template = "https://example.com/{id:raw}?e={picc}&c={mac}"
        #expect(throws: PlanError.self) {
            try Self.recipe(template, RowSettings(), [RecordOption(name: .text, value: "x")])
        }
        #expect(throws: PlanError.self) { try Self.recipe(template).check(columns: ["name"]) }
        for (settings, row) in [
            (RowSettings(lock: true), Self.row(("id", "1"))),
            (RowSettings(), Self.row(("id", "1"), ("lock", "yes"))),
            // This would be a placeholder for the tag to fill in.
            (RowSettings(), Self.row(("id", "{mac}"))),
            (RowSettings(), Self.row(("id", ""))),
            (RowSettings(), Self.row(("id", String(repeating: "x", count: 250)))),
        ] {
            var check = PlanCheck(recipe: try Self.recipe(template, settings))
            #expect(check.add(.row(row)) == nil && check.badRowCount == 1, "\(row)")
        }
        var check = PlanCheck(recipe: try Self.recipe(template))
        #expect(check.add(.row(Self.row(("id", "1")))) != nil)
    }
}
