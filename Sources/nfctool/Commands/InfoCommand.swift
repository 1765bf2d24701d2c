// nfctool info: what a tag is, and its memory block by block

import ArgumentParser
import CoreNFC
import TagTypes

struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show what a tag is: chip, type, capacity, memory map, locks.")

    @OptionGroup var options: TagOptions

    func run() async throws {
        let tags = try await TagSession.run(options) { session in
            var tags: [TagInformation] = []
            for tag in try await session.tags(within: options.waitingTime, uid: options.uid) {
                try await session.session?.connect(to: tag)
                let (chip, state, memory) = try await tag.perform { tag in
                    let state = try tag.detect()
                    return (tag.chip, state, try tag.memoryMap())
                }
                tags.append(
                    TagInformation(
                        reader: session.reader, target: tag.target, chip: chip, state: state, memory: memory))
            }
            return tags
        }
        for tag in tags {
            if options.output.json {
                try JSONLine.print(tag)
            } else {
                TagPresentation(tag, style: .standardOutput).print()
            }
        }
    }
}
