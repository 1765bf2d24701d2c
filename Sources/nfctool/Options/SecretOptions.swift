// --show-secrets — Docs/CommandLine.md, Output

import ArgumentParser

/// Whether passwords in records, and keys of a MIFARE Classic, are shown to people.
struct SecretOptions: ParsableArguments {
    @Flag(help: "Show Wi-Fi passwords, which --json always has, and MIFARE Classic keys.")
    var showSecrets = false
}
