// Questions and messages about changes to tags, on the terminal — Docs/CommandLine.md, Questions

import Doctor
import Hexadecimal
import ReaderInterface
import SafeTag

struct TerminalDialogue: Dialogue {
    let confirmation: Confirmation
    let hint: Hint
    let warning: Warning

    init(_ options: OutputOptions) {
        warning = Warning(options)
        confirmation = Confirmation(options)
        hint = Hint(options)
    }

    var isPersonal: Bool { confirmation.isTyped }

    func ask(_ question: Question) throws {
        let text = QuestionText(question)
        do {
            try confirmation.ask(text.question, facts: text.facts, summary: text.summary)
        } catch let needed as ConfirmationNeeded {
            if case .sendPassword(let risk) = question { throw UnconfirmedRisk(risk: risk, question: needed) }
            throw needed
        }
    }

    func tell(_ notice: Notice) {
        switch notice {
        case .awaitingTag(let uid, let reader, let limit):
            let request = "Place \(uid.map { "tag \($0.hex)" } ?? "a tag") on the reader"
            let time = limit.map { " within \($0.inWords)" } ?? ""
            hint.show(
                "\(reader.map { "\(request) \($0)\(time)" } ?? "Waiting for the reader to answer"). "
                    + "Press Ctrl-C to stop.")
        case .tagLeft(let cut, let uid):
            hint.show("\(cut.cause) Place tag \(uid.hex) on the reader again. Press Ctrl-C to stop.")
        case .otherTag(let uid, let awaited):
            hint.show("Tag \(uid.hex) is a different tag; waiting for \(awaited.hex).")
        case .nothingToRecover(let uid, let awaited):
            hint.show("Tag \(uid.hex) has no write to recover; waiting for \(NoTagToRecover.names(of: awaited)).")
        case .bringingBack:
            hint.show("An earlier write to this tag was interrupted; bringing its old message back first.")
        case .openLock(let uid):
            hint.show("Locking tag \(uid.hex) was interrupted. To finish, run nfctool lock.")
        case .supersededWrite(let uid):
            hint.tell(
                "A write to tag \(uid.hex) was interrupted earlier. The dump replaced what that write left. "
                    + "nfctool undo brings back the message from before that write.")
        case .keptAside(let path):
            hint.tell(
                "Restoring this tag was interrupted earlier. To bring back its content from before that restore, run  "
                    + "nfctool restore \(ShellLine.quoted(path))")
        case .replacesOtherData(let uid, let count, let isKept):
            warning.show(
                "Tag \(uid.hex) held \(ByteCount(count)) of another program after its message. The new message "
                    + "replaces them.\(isKept ? " nfctool undo brings them back." : "")")
        }
    }
}

/// A risk that the user could not confirm.
///
/// Scripts get the facts that a person would have read.
struct UnconfirmedRisk: Failure {
    let risk: PasswordRisk
    let question: ConfirmationNeeded
    var name: ErrorName { question.name }
    var message: String { question.message }
    var details: [String: FailureDetail] {
        FailureDetail.all(of: risk).merging(question.details) { first, _ in first }
            .merging(["reason": .text("\(risk)")]) { first, _ in first }
    }
}
