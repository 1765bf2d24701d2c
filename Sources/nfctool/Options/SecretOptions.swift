// --show-secrets — Docs/CommandLine.md, Output

import ArgumentParser

/// Whether passwords in records, and keys of a MIFARE Classic, are shown to people.
struct SecretOptions: ParsableArguments {
    @Flag(
        help: """
            Show the Wi-Fi passwords in records, which --json always has, and the keys of a MIFARE Classic.
            """)
    var showSecrets = false
}
