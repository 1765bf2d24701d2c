// --show-secrets — Docs/CommandLine.md, Output

import ArgumentParser

/// Whether passwords in records and MIFARE Classic keys are shown in text.
struct SecretOptions: ParsableArguments {
    @Flag(help: HelpText.secrets)
    var showSecrets = false
}
