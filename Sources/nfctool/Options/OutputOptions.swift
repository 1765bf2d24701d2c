// The options that most commands have: how results are printed, and whether to ask — Docs/CommandLine.md, Output, Questions

import ArgumentParser

/// The options of every command with a result.
struct PrintOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object per line; failures are JSON on stderr.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print nothing but results and errors.")
    var quiet = false
}

/// The options of a command that may ask before it goes on.
struct OutputOptions: ParsableArguments {
    @OptionGroup var print: PrintOptions

    var json: Bool { print.json }
    var quiet: Bool { print.quiet }

    @Flag(name: .shortAndLong, help: "Skip confirmation prompts.")
    var yes = false
}
