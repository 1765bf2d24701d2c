// nfctool info: what a tag is, and its memory block by block

import ArgumentParser
import NDEF
import ReaderSession
import SafeTag
import TagTypes
import Terminal

struct InfoCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "info",
        abstract: "Show what a tag is: chip, type, capacity, memory map, locks.")

    @OptionGroup var secrets: SecretOptions
    @OptionGroup var options: TagOptions

    func run() async throws {
        let (tags, failure, writes, restores) = try await TagSession.runForReading(options) { session in
            var tags: [TagInformation] = []
            var failure: (any Error)?
            var writes: [InterruptedWrite] = []
            var restores: [HalfRestore] = []
            for detected in try await session.tags(for: options) {
                do {
                    let tag = try await session.connect(to: detected)
                    var (information, broken) = try await look(at: tag, in: session)
                    if let write = await InterruptedWrite.find(on: tag) {
                        writes.append(write)
                        information.isUnfinished = true
                    }
                    if let restore = await session.halfRestore(of: detected) {
                        restores.append(restore)
                        information.isUnfinished = true
                    }
                    tags.append(information)
                    failure = failure ?? broken
                } catch {
                    failure = failure ?? error
                }
            }
            return (tags, failure, writes, restores)
        }
        for tag in tags {
            if options.output.json {
                try JSONLine.print(tag)
            } else {
                TagPresentation(tag, style: .standardOutput.showingSecrets(secrets.showSecrets)).print()
            }
        }
        if tags.contains(where: { $0.hasMoreBeside == true }) { MoreTags.tell(options.output) }
        for write in writes { write.tell(options.output) }
        restores.tell(options.output)
        if let failure { throw failure }
    }

    /// What there is to know of a tag; of one that breaks its own rules the memory is wanted most of all.
    private func look(at tag: ConnectedTag, in session: TagSession) async throws -> (TagInformation, broken: TagError?)
    {
        let (chip, state, memory, broken) = try await tag.perform { tag in try Self.look(at: tag) }
        let secrets = try await tag.perform { Self.secrets(of: $0) }
        let information = TagInformation(
            reader: session.reader, target: tag.target, chip: chip, state: state, memory: memory,
            hasMoreBeside: session.hasMoreTags ? true : nil, secrets: secrets)
        return (information, broken)
    }

    /// What is secret in the message of a tag that was looked at; a message that cannot be read has no secrets.
    private static func secrets(of tag: any ForumTag) -> [[UInt8]] {
        guard let bytes = try? tag.readNDEF(), let message = try? NDEFMessage(bytes: bytes) else { return [] }
        return message.records.flatMap(\.secrets)
    }

    private static func look(
        at tag: any ForumTag
    ) throws(TagError) -> (Chip?, NDEFState, MemoryMap, broken: TagError?) {
        do {
            let state = try tag.detect()
            let memory = try tag.memoryMap()
            return (tag.chip, state, memory, nil)
        } catch {
            switch error {
            case .protocolViolation(let field, let found, _, _):
                let state = NDEFState(
                    status: .notSupported, capacity: 0, messageLength: nil, reason: "\(field) is \(found)")
                let memory = (try? tag.memoryMap()) ?? MemoryMap()
                return (tag.chip, state, memory, error)
            case .passwordNeeded(let block):
                return (tag.chip, NDEFState(passwordNeededFrom: block), try tag.memoryMap(), nil)
            case .keyNeeded(let sector):
                return (tag.chip, NDEFState(keyNeededFor: sector), try tag.memoryMap(), nil)
            default: throw error
            }
        }
    }
}
