// The option of every command that creates a file — Docs/CommandLine.md, Files

import ArgumentParser

struct OverwriteOption: ParsableArguments {
    @Flag(name: .customLong("overwrite"), help: "Replace an existing file without asking.")
    var isAllowed = false
}
