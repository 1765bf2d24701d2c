// The options that most commands have: how results are printed, and whether to ask — Docs/CommandLine.md, Output, Questions

import ArgumentParser

// Option groups are not nested: in a debug build, the parser checks every level four times as often as the level above.

/// The options of a command that prints a result and asks no questions.
struct PrintOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object per line; failures are JSON on stderr.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print nothing but results and errors.")
    var quiet = false
}

/// The options of a command that may ask before it goes on.
struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object per line; failures are JSON on stderr.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print nothing but results and errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Skip confirmation prompts.")
    var yes = false
}
