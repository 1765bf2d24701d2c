// A dump file where a tag on a reader would be — Docs/CommandLine.md, Dump files instead of tags

import ArgumentParser
import SafeTag

/// The argument of commands that look at a tag, or at the dump of one.
struct DumpArgument: ParsableArguments {
    @Argument(help: "A dump file to read instead of a tag, - for stdin.")
    var file: String?

    /// The tag that the dump was made of; nil without a file.
    ///
    /// - Throws: for a file that is none, and for options that choose or open a tag on a reader.
    func tag(_ options: TagOptions) throws -> DumpedTag? {
        guard let file else { return nil }
        if let option = options.givenOption {
            throw UsageFailure(
                message:
                    "\(option) cannot be used with a dump file. Leave out \(option), or \(file) to use a reader.")
        }
        return DumpedTag(try DumpFile(path: file).read(), file: file)
    }
}
