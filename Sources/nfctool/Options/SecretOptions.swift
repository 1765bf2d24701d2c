// --show-secrets — Docs/CommandLine.md, Output

import ArgumentParser

/// Whether passwords in records, and keys of a MIFARE Classic, are shown to people.
struct SecretOptions: ParsableArguments {
    @Flag(help: HelpText.secrets)
    var showSecrets = false
}
