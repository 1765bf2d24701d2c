// Every command with every kind of tag on every model of reader: it works, or the reader's limitation is reported

import Chance
import Foundation
import InProcessReaders
import ReaderInterface
import ReaderSession
import Testing
import VirtualPCSC
import VirtualPN532

@testable import PCSCReaders

extension DaemonTests {
    /// One daemon has a reader of each model, and they work in parallel.
    @Suite(.serialized) struct TagMatrixTests {
        /// The expected tables, one for each model, in the file next to this one.
        ///
        /// If the results differ from them, the test prints the new tables.
        private static let expected = URL(filePath: #filePath).deletingLastPathComponent().appending(
            path: "Matrix/Matrix.txt")

        @Test func everyCommandWorksOnEveryTagOrTheReaderSaysWhyNot() async throws {
            let folder = FileManager.default.temporaryDirectory.appending(path: "matrix-\(UUID().uuidString)")
            defer { try? FileManager.default.removeItem(at: folder) }
            let readers = PCSCReaderModel.all.map { VirtualPCSCReader(model: $0) }
            let daemon = try PrivatePCSCDaemon(readers: readers)
            defer { daemon.stop() }
            daemon.serveThisProcess()
            let places = try readers.map { try MatrixPlace($0, in: folder) }
            let best = try #require(places.first { $0.virtual.model == .acr1552u })
            var kinds: [PreparedKind] = []
            for kind in MatrixKind.all { kinds.append(try await Self.prepared(kind, best, folder)) }
            let prepared = kinds
            var tables: [PCSCReaderModel: MatrixTable] = [:]
            await withTaskGroup(of: (PCSCReaderModel, MatrixTable).self) { group in
                for place in places {
                    group.addTask { (place.virtual.model, await Self.table(prepared, place)) }
                }
                for await (model, table) in group { tables[model] = table }
            }
            let all = PCSCReaderModel.all.compactMap { tables[$0] }
            let text = ([MatrixTable.legend] + all.map(\.text)).joined(separator: "\n")
            print(text)
            for failure in all.flatMap(\.failures) { Issue.record("\(failure)") }
            #expect(text == (try? String(contentsOf: Self.expected, encoding: .utf8)), "\(Self.expected.path)")
            let refusals = Set(all.flatMap(\.refusals))
            print(refusals.sorted().joined(separator: "\n"))
            // The error names the reader, and the command that it cannot send.
            for refusal in refusals where refusal.hasPrefix("wrongReader") {
                #expect(refusal.contains("cannot send") && !refusal.contains("the command"), "\(refusal)")
            }
        }

        /// Creates the states of a kind on a reader that supports it completely.
        private static func prepared(
            _ kind: MatrixKind, _ best: MatrixPlace, _ folder: URL
        ) async throws -> PreparedKind {
            var readers: [VirtualReader] = []
            defer { for reader in readers { reader.stop() } }
            return try await PreparedKind(kind) { tag in
                guard case .proximity = kind else {
                    try best.place(tag)
                    return best.bench
                }
                let reader = try VirtualReader(field: Field([tag]), latency: .none)
                readers.append(reader)
                return MatrixBench(reader: reader.connection, folder: folder)
            }
        }

        private static func table(_ kinds: [PreparedKind], _ place: MatrixPlace) async -> MatrixTable {
            var table = MatrixTable(place.virtual.model)
            for kind in kinds {
                // pcscd never sees a tag that the reader does not support. For other tags, each attempt waits until
                // pcscd has seen the tag.
                guard let tag = try? kind.holding.make(), place.canSee(tag) else {
                    table.add(kind.kind, nil)
                    continue
                }
                var outcomes: [MatrixCommand: MatrixOutcome] = [:]
                for command in MatrixCommand.allCases {
                    let start = ContinuousClock.now
                    outcomes[command] = await MatrixTrial(command: command, tag: kind, place: place).outcome()
                    let time = start.duration(to: .now)
                    if time > .seconds(1) { print("\(place.virtual.model) \(kind.kind) \(command): \(time)") }
                }
                table.add(kind.kind, outcomes)
            }
            return table
        }
    }
}
