// --show-secrets — Docs/CommandLine.md, Output

import ArgumentParser

/// Whether passwords in records, and keys of a MIFARE Classic, are shown to people.
struct SecretOptions: ParsableArguments {
    @Flag(help: "Show the Wi-Fi passwords in records and the keys of a MIFARE Classic; --json always has the passwords.")
    var showSecrets = false
}
