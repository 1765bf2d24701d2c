// Writes a link to a tag, and keeps the old message:
// NFCTOOL_READER=virtual:ntag213 swift run SafeWriter https://example.com

import Foundation
import NDEF
import SafeTag

/// Declines changes that cannot be undone, and prints what happens.
struct Console: Dialogue {
    func ask(_ question: Question) throws { throw NotAgreed() }

    func tell(_ notice: Notice) {
        defer { fflush(nil) }  // `print` keeps lines for a file or a pipe
        switch notice {
        case .awaitingTag: print("Place a tag on the reader.")
        case .tagLeft(let cut, _): print("\(cut.cause) Place it on the reader again.")
        case .otherTag, .nothingToRecover: print("This is another tag.")
        case .bringingBack: print("An earlier write was interrupted. Its old message is brought back first.")
        case .openLock: print("An earlier lock of this tag is not finished.")
        case .supersededWrite: print("The message from before an interrupted write is kept for undo.")
        case .keptAside(let path): print("What the tag held before an earlier restore is kept in \(path).")
        case .replacesOtherData(_, let count, _): print("\(count) bytes of another program are replaced.")
        }
    }
}

@main struct SafeWriter {
    static func main() async {
        do {
            let link = CommandLine.arguments.dropFirst().first ?? "https://example.com"
            let message = try NDEFMessage(records: [URIRecord(uri: link).record()]).encoded()
            try await TagSession.run(.init(dialogue: Console())) { session in
                let change = try await SafeWrite(session).change(within: .seconds(60), to: .replaceMessage)
                let written = try await change.write(message)
                print("\(written.name) \(written.uid) holds \(link), read back and compared.")
            }
        } catch {
            print("\(error)")
            exit(1)
        }
    }
}
