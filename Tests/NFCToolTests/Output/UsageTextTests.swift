// What is wrong with a command line, and which option was meant

import Testing

@testable import nfctool

@Suite struct UsageTextTests {
    @Test(arguments: [
        (
            "Error: Unknown option '--lock'. Did you mean '--lang'?\nUsage: x",
            "nfctool: Unknown option '--lock'.\nUsage: x"
        ),
        (
            "Error: Unknown option '--key'. Did you mean '--tel'?\nUsage: x",
            "nfctool: Unknown option '--key'.\nUsage: x"
        ),
        (
            "Error: Unknown option '--timout'. Did you mean '--timeout'?\nUsage: x",
            "nfctool: Unknown option '--timout'. Did you mean '--timeout'?\nUsage: x"
        ),
        (
            "Error: Missing expected argument '<plan>'\nUsage: x",
            "nfctool: Missing expected argument '<plan>'.\nUsage: x"
        ),
        ("Give at least one record.", "Give at least one record."),
    ])
    func onlySimilarOptionsAreSuggested(message: String, text: String) {
        #expect(UsageText(message).text == text)
    }
}
