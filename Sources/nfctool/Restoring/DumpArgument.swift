// A dump file in place of a tag on a reader — Docs/CommandLine.md, Dump files instead of tags

import ArgumentParser
import Composing
import SafeTag

struct DumpArgument: ParsableArguments {
    @Argument(help: "A dump file to read instead of a tag, or - for stdin.", completion: .file())
    var file: String?

    /// Returns the tag in the dump, or nil if no file is given.
    ///
    /// - Throws: an error if the file is not a dump, or if an option applies only to a tag on a reader.
    func tag(_ options: TagOptions) throws -> DumpedTag? {
        guard let file else { return nil }
        if let option = options.givenOption {
            throw UsageFailure(
                message:
                    "\(option) cannot be used with a dump file. Leave out \(option), or \(file) to use a reader.")
        }
        let (image, flaw) = try DumpFile(path: file).readTag()
        if let flaw { Warning(options.output).show("\(InputFile(path: file).source) may be damaged. \(flaw)") }
        return DumpedTag(image, file: file)
    }
}
