// The options of commands that replace a message or wait for a tag to return

import ArgumentParser

/// The options of every command that replaces a message.
struct WriteOptions: ParsableArguments {
    @Flag(
        name: .customLong("no-journal"),
        help: "Do not keep the old content on disk while writing: a write that is interrupted cannot be recovered.")
    var isWithoutJournal = false

    @OptionGroup var wait: WaitOptions
}

/// The option of every command that waits for a tag to return and then continues.
struct WaitOptions: ParsableArguments {
    @Flag(
        name: .customLong("no-wait"),
        help: "If the tag leaves during the write, end immediately instead of waiting for it up to --timeout.")
    var isWithoutWait = false
}
