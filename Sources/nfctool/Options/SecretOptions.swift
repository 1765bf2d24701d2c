// --show-secrets — Docs/CommandLine.md, Output

import ArgumentParser

/// Whether passwords in records are shown to people.
struct SecretOptions: ParsableArguments {
    @Flag(help: "Show the Wi-Fi passwords in records; --json always has them.")
    var showSecrets = false
}
