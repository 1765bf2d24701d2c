// The option --show-secrets — Docs/CommandLine.md, Output

import ArgumentParser

struct SecretOptions: ParsableArguments {
    @Flag(help: HelpText.secrets)
    var showSecrets = false
}
