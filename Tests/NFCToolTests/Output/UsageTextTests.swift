// The error in a command line, and the option that was probably meant

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
        ("Error: Unexpected argument 'x'.\nUsage: x", "nfctool: Unexpected argument 'x'.\nUsage: x"),
        (
            "Error: The value 'clasic' is invalid for '--type <type>'. Please provide one of the following:\n  - 1\n  - classic\nUsage: x",
            "nfctool: The value 'clasic' is invalid for '--type <type>'. Please provide one of the following:\n  - 1\n  - classic\nDid you mean 'classic'?\nUsage: x"
        ),
        (
            "Error: Unknown option '--raw'. Did you mean '--led'?\nUsage: x",
            "nfctool: Unknown option '--raw'. Did you mean '--output'?\nUsage: x"
        ),
        (
            "Error: Unknown option '--out'\nUsage: x",
            "nfctool: Unknown option '--out'. Did you mean '--output'?\nUsage: x"
        ),
        (
            "Error: Unknown option '--password'\nUsage: x",
            "nfctool: Unknown option '--password'. Did you mean '--password-file'? It takes a file, because other users can see what is on the command line.\nUsage: x"
        ),
        (
            "Error: Unknown option '--limit'. Did you mean '--title'?\nUsage: x",
            "nfctool: Unknown option '--limit'.\nUsage: x"
        ),
        (
            "Error: The value 'neverr' is invalid for '--overwrite <overwrite>'. Please provide one of 'never', 'same' or 'always'.\nUsage: x",
            "nfctool: The value 'neverr' is invalid for '--overwrite <overwrite>'. Please provide one of 'never', 'same' or 'always'. Did you mean 'never'?\nUsage: x"
        ),
        (
            "Error: The value '6' is invalid for '--type <type>'. Please provide one of '1', '2' or 'classic'.\nUsage: x",
            "nfctool: The value '6' is invalid for '--type <type>'. Please provide one of '1', '2' or 'classic'.\nUsage: x"
        ),
    ])
    func onlyANearOptionIsSuggested(message: String, text: String) {
        #expect(UsageText(message) { ["--output", "--password-file"].contains($0) }.text == text)
    }

    @Test func whatIsToBeWrittenNeedsAnOption() {
        let link = UsageText("Error: Unexpected argument 'https://e.com'\nUsage: x") { $0 == "--uri" }
        #expect(
            link.text
                == "nfctool: Unexpected argument 'https://e.com'.\n  To write it as a link:  --uri 'https://e.com'\nUsage: x"
        )
        let missing = UsageText("Error: Unexpected argument 'a'.\nUsage: x", ["write", "--uri", "--reader", "a"]) { _ in
            true
        }
        #expect(missing.text == "nfctool: The option --uri has no value.\nUsage: x")
        let text = UsageText("Error: Unexpected argument 'hello'.\nUsage: x") { $0 == "--uri" }
        #expect(text.text == "nfctool: Unexpected argument 'hello'.\n  To write text:  --text 'hello'\nUsage: x")
    }
}
