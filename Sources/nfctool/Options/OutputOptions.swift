// The options of most commands for output and confirmation — Docs/CommandLine.md, Output, Questions

import ArgumentParser

// Option groups are not nested: in a debug build, each level of nesting makes the parser check the options four times
// as often.

struct PrintOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object per line; failures are JSON on stderr.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print nothing but results and errors.")
    var quiet = false
}

struct OutputOptions: ParsableArguments {
    @Flag(help: "Print JSON: one object per line; failures are JSON on stderr.")
    var json = false

    @Flag(name: .shortAndLong, help: "Print nothing but results and errors.")
    var quiet = false

    @Flag(name: .shortAndLong, help: "Skip confirmation prompts.")
    var yes = false
}
