// Writes one tag per row of a list; an interrupted run continues where it stopped
//
//   printf 'uri\nhttps://example.com/1\nhttps://example.com/2\n' > tags.csv
//   swift run BatchEncoder tags.csv                     the first reader
//   NFCTOOL_READER='virtual:ntag213*2?stream' swift run BatchEncoder tags.csv

import Foundation
import Provisioning
import SafeTag

/// Prints a line for each tag.
struct Progress: ProvisionObserver {
    func tell(_ event: ProvisionEvent, on session: TagSession?) {
        defer { fflush(nil) }  // `print` keeps lines for a file or a pipe
        switch event {
        case .readerOpened(let reader, _): print("Place tags on \(reader), one after the other.")
        case .readerLost(_, _, let reason): print("\(reason) Waiting for the reader.")
        case .finished(let tag, let row, _, let proof, _):
            print("row \(row.number)  \(tag.uid)  \(proof.messageLength) bytes, verified")
        case .known(let tag, let row, _, _): print("row \(row.number)  \(tag.uid)  already has it")
        case .cut(let tag, let row, let reason): print("row \(row.number)  \(tag.uid)  \(reason) Place it again.")
        case .refused(let tag, _, let reason, _): print("refused  \(tag.uid)  \(reason)")
        case .failed(let tag, let row, _, let reason): print("row \(row.number)  \(tag.uid)  \(reason)")
        case .weakField: print("Several tags had trouble. Check the antenna.")
        case .databaseAway(let reason, _, _): print("The journal's database does not answer: \(reason)")
        case .databaseBack: print("The journal is back.")
        case .manyRefused: print("Several tags were refused. Are these the right ones?")
        case .started, .initialising, .erased, .removed, .commandFailed, .ended, .checked, .checkedAll: break
        }
    }
}

@main struct BatchEncoder {
    static func main() async {
        guard let list = CommandLine.arguments.dropFirst().first else { return print("Name a list: tags.csv") }
        do {
            // The columns are named like the options of nfctool provision: uri, text, app …
            let plan = CheckedPlan(path: list, recipe: try RowRecipe(options: [], settings: RowSettings()))
            let journal = try plan.journal(at: URL(filePath: list + ".journal")).journal
            let run = try ProvisionRun(journal, plan.recipe, .init(patience: .seconds(10)), observer: Progress())
            let summary = try await run.run()
            print("\(summary.done) of \(summary.rows) rows are done.")
            exit(summary.isComplete ? 0 : 1)
        } catch {
            print("\(error)")
            exit(1)
        }
    }
}
