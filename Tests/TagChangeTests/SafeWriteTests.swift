// The journaled write, recovery, locks and passwords as a program uses them, with the real libnfc and virtual chips

import Foundation
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes
import Testing
import VirtualPN532
import WriteJournal

@Suite struct SafeWriteTests {
    @Test(arguments: [VirtualTagKind.ntag213, .ntag216, .type4, .topaz512, .feliCaLiteSNDEF, .classic1kNDEF])
    func aWriteIsProvenAndForgotten(_ kind: VirtualTagKind) async throws {
        try await Bench.with(kind) { bench in
            let message = try Bench.text("https://example.com/a")
            let written = try await bench.write(message)
            #expect(written.isVerified == true && written.bytes == message)
            #expect(try await bench.message() == message)
            #expect(try bench.journals.writes.entries().entries.isEmpty)
        }
    }

    @Test func aWriteThatEndsBeforeItsFirstStepLeavesNoEntry() async throws {
        struct Gone: Error {}
        try await Bench.with(.ntag213) { bench in
            let message = try Bench.text("https://example.com/a")
            await #expect(throws: Gone.self) {
                try await bench.session { session in
                    let change = try await SafeWrite(session).change(within: .seconds(10), to: .replaceMessage)
                    _ = try await change.replaceMessage(meanwhile: { _ in throw Gone() }) {
                        try $0.planWrite(message, .throughEmpty)
                    }
                }
            }
            #expect(try bench.journals.writes.entries().entries.isEmpty)
        }
    }

    @Test("Only a write without a journal works if the journal of restores cannot be read")
    func unreadableRestores() async throws {
        try await Bench.with(.ntag213) { bench in
            try await bench.write(try Bench.text("https://example.com/a"))
            let folder = bench.journals.restores.folder
            try FileManager.default.createDirectory(
                at: folder.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data().write(to: folder)
            try await bench.session { session in
                _ = try await SafeWrite(session, isJournaled: false).change(within: .seconds(10), to: .extendMessage)
            }
            await #expect(throws: JournalFailure.self) {
                try await bench.session { session in
                    _ = try await SafeWrite(session).change(within: .seconds(10), to: .extendMessage)
                }
            }
        }
    }

    @Test func aTagThatIsPulledAwayIsFinishedWhenItIsBack() async throws {
        try await Bench.with(.ntag213) { bench in
            bench.reader.faults.tear = 12
            bench.reader.faults.back = .seconds(1)
            let answers = Answers(false)
            let message = try Bench.text("https://example.com/abcdefghijklm")
            #expect(try await bench.write(message, asking: answers).bytes == message)
            #expect(answers.words.contains("tagLeft"))
            #expect(try await bench.message() == message)
        }
    }

    @Test func anInterruptedWriteIsRecoveredOrTakenBack() async throws {
        for isRollback in [false, true] {
            try await Bench.with(.ntag213) { bench in
                let old = try Bench.text("https://example.com/old")
                let new = try Bench.text("https://example.com/newer")
                try await bench.write(old)
                bench.reader.faults.tear = 14
                bench.reader.faults.back = .milliseconds(500)
                let cut = await #expect(throws: WriteInterrupted.self) {
                    try await bench.session { session in
                        let write = SafeWrite(session, patience: .none)
                        _ = try await write.change(within: .seconds(10), to: .replaceMessage).write(new)
                    }
                }
                #expect(cut?.kind == .tagGone && cut?.isJournaled == true)
                let changes = try UnfinishedChanges.onDisk(in: bench.journals)
                #expect(changes.writes.count == 1)
                let (reading, recovery) = try await bench.session { session in
                    try await SafeWrite(session).recover(changes, within: .seconds(10), rollingBack: isRollback)
                }
                #expect(reading.bytes == (isRollback ? old : new))
                if case .broughtBack = recovery { #expect(isRollback) } else { #expect(!isRollback) }
                #expect(try UnfinishedChanges.onDisk(in: bench.journals).writes.isEmpty)
            }
        }
    }

    @Test("A finished Type 3 write is not reported as interrupted") func interruptionEnds() async throws {
        var interrupted = 0
        for loss in 3...24 where interrupted == 0 {
            try await Bench.with(.type3) { bench in
                bench.reader.faults.loss = loss
                bench.reader.faults.back = .seconds(1)
                let old = try Bench.text("https://example.com/old")
                try? await bench.session { session in
                    let write = SafeWrite(session, isJournaled: false, patience: .none)
                    _ = try await write.change(within: .seconds(10), to: .replaceMessage).write(old)
                }
                bench.reader.faults.loss = nil
                let before = try await bench.session { session in
                    try await session.read(session.onlyTag(within: .seconds(10))).state
                }
                if before.isInterrupted { interrupted += 1 }
                let new = try Bench.text("https://example.com/new")
                let state = try await bench.write(new).state
                #expect(!state.isInterrupted && state.reason == nil && state.messageLength == new.count)
            }
        }
        #expect(interrupted > 0)
    }

    @Test func whatCannotBeUndoneNeedsAgreement() async throws {
        try await Bench.with(.ultralight) { bench in
            let message = try Bench.text("a:")
            await #expect(throws: NotAgreed.self) { try await bench.write(message) }
            let answers = Answers(true)
            #expect(try await bench.write(message, asking: answers).bytes == message)
            #expect(answers.words.contains("initialise"))
        }
    }

    @Test func aLockIsShownAndProven() async throws {
        try await Bench.with(.ntag213) { bench in
            let message = try Bench.text("https://example.com")
            try await bench.write(message)
            await #expect(throws: NotAgreed.self) {
                try await bench.session { session in
                    _ = try await SafeWrite(session).change(within: .seconds(10), to: .lockMessage).lock()
                }
            }
            let answers = Answers(true)
            let (reading, permanence, wasLocked) = try await bench.session(asking: answers) { session in
                try await SafeWrite(session).change(within: .seconds(10), to: .lockMessage).lock()
            }
            #expect(reading.state.status == .readOnly && permanence == .permanent && !wasLocked)
            #expect(answers.words.contains("lock"))
            await #expect(throws: TagError.self) { try await bench.write(try Bench.text("b:")) }
            #expect(try await bench.message() == message)
        }
    }

    /// A change that was started to replace the message must not lock an incomplete one.
    @Test func aTornTagIsNotLocked() async throws {
        try await Bench.with(.ntag213) { bench in
            try await bench.write(try Bench.text("https://example.com/old"))
            bench.reader.faults.tear = 14
            bench.reader.faults.back = .milliseconds(500)
            await #expect(throws: WriteInterrupted.self) {
                try await bench.session { session in
                    let write = SafeWrite(session, patience: .none)
                    _ = try await write.change(within: .seconds(10), to: .replaceMessage).write([0xD0, 0, 0])
                }
            }
            await #expect(throws: UnfinishedWrite.self) {
                try await bench.session(asking: Answers(true)) { session in
                    _ = try await SafeWrite(session).change(within: .seconds(10), to: .replaceMessage).lock()
                }
            }
        }
    }

    @Test func aPasswordOpensItsTagAndGoesAgain() async throws {
        let password = Type2Credential.password(try #require(Type2Password(pwd: [1, 2, 3, 4])))
        try await Bench.with(.ntag215) { bench in
            try await bench.write(try Bench.text("a:"))
            let protected = try await bench.session { session in
                try await SafeWrite(session).change(within: .seconds(10), to: .keepMessage)
                    .protect(ProtectionWish(), with: password, openedBy: password)
            }
            #expect(protected.protection?.rules.first == 4)
            await #expect(throws: TagError.self) { try await bench.write(try Bench.text("b:")) }
            let (_, wasProtected) = try await bench.session(opening: password) { session in
                try await SafeWrite(session).change(within: .seconds(10), to: .keepMessage)
                    .unprotect(openedBy: password)
            }
            #expect(wasProtected)
            try await bench.write(try Bench.text("b:"))
        }
    }

    @Test("An unattended change of protection that fails before its first step leaves no record")
    func protectionThatNeverBegan() async throws {
        // An NTAG213 has a password and no key.
        let key = Type2Credential.key(try #require(UltralightKey(Array(1...16))))
        try await Bench.with(.ntag213) { bench in
            await #expect(throws: TagError.self) {
                _ = try await bench.session { session in
                    try await SafeWrite(session).change(within: .seconds(10), to: .keepMessage)
                        .protectAtLeast(with: key)
                }
            }
            let folder = bench.journals.passwords.folder
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
            #expect(names == [])
        }
    }

    @Test func anInterruptedSessionSaysSo() async throws {
        try await Bench.with { bench in
            let answers = Answers(false)
            let session = TagSession(
                .init(reader: bench.reader.connection, dialogue: answers, journals: bench.journals))
            session.begin()
            let end = Task {
                try await session.finish { session in _ = try await session.onlyTag(within: nil) }
            }
            for _ in 0..<2_000 where !answers.words.contains("awaitingTag") {
                try await Task.sleep(for: .milliseconds(10))
            }
            #expect(answers.words.contains("awaitingTag"))
            session.interrupt()
            let result = await end.result
            #expect(throws: Interrupted.self) { try result.get() }
        }
    }
}
