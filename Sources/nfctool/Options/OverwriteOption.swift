// The option of every command that makes a file — Docs/CommandLine.md, Files

import ArgumentParser

/// Whether a file that exists already is replaced without a question.
struct OverwriteOption: ParsableArguments {
    @Flag(name: .customLong("overwrite"), help: "Replace a file that exists without asking.")
    var isAllowed = false
}
