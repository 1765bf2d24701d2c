// --show-secrets — Docs/CommandLine.md, Output

import ArgumentParser

/// Whether passwords in records are shown to people.
struct SecretOptions: ParsableArguments {
    @Flag(help: "Show Wi-Fi passwords in records, which --json always has, and passwords and keys in --trace.")
    var showSecrets = false
}
