// The number of APDUs that reading and writing at PC/SC readers take, with a line per model, kind of tag and job —
// Scripts/bench

import Foundation
import NDEF
import SafeTag
import VirtualPCSC
import VirtualPN532
import WriteJournal

/// `MODEL KIND LENGTH READ READ-MINIMUM WRITE WRITE-MINIMUM`, or `MODEL KIND LENGTH -` if the reader cannot do it.
@main struct APDUBenchmark {
    static func main() async throws {
        // Drive the readers in this process, because their exchanges are counted here.
        setenv("NFCTOOL_HOST", "none", 1)
        let readers = PCSCReaderModel.all.map { VirtualPCSCReader(model: $0) }
        let daemon = try PrivatePCSCDaemon(readers: readers)
        defer { daemon.stop() }
        daemon.serveThisProcess()
        let folder = FileManager.default.temporaryDirectory.appending(path: "apdus-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for reader in readers {
            for (kind, lengths) in BenchmarkTag.all {
                for length in lengths {
                    let job = APDUJob(reader: reader, tag: kind, length: length, folder: folder)
                    let costs = try? await job.costs()
                    let line = costs.map { "\($0.read) \(job.minimum.read) \($0.write) \(job.minimum.write)" } ?? "-"
                    print(reader.model.id, kind, length, line)
                }
            }
        }
    }
}

struct APDUJob {
    let reader: VirtualPCSCReader
    let tag: BenchmarkTag
    let length: Int
    let folder: URL

    /// Returns the number of APDUs for a write to a tag with an empty message, and for reading the written message.
    func costs() async throws -> (read: Int, write: Int) {
        let virtual = tag.make()
        reader.remove()
        // pcscd reports the removal a moment later.
        try await Task.sleep(for: .milliseconds(20))
        reader.place(virtual)
        try await Task.sleep(for: .milliseconds(20))
        let head = length < 256 + 7 ? 7 : 10
        let record = try TextRecord(text: String(repeating: "a", count: length - head), language: "en").record()
        let message = try NDEFMessage(records: [record]).encoded()
        let write = try await counted { session in
            _ = try await SafeWrite(session, patience: .none)
                .change(within: Self.patience, to: .replaceMessage).write(message)
        }
        let read = try await counted { session in
            guard try await session.read(session.onlyTag(within: Self.patience)).bytes == message else {
                throw Misread()
            }
        }
        return (read, write)
    }

    private struct Misread: Error {}

    private static let patience = Duration.milliseconds(500)

    private func counted(_ work: @Sendable (TagSession) async throws -> Void) async throws -> Int {
        let journals = Journals(WriteJournal(folder: folder.appending(path: UUID().uuidString)))
        let before = reader.transmits
        try await TagSession.run(.init(reader: "pcsc:\(reader.friendlyName)", journals: journals), work)
        return reader.transmits - before
    }
}
