// Advice for failures of the lower modules, which report them without advice

import ArgumentParser
import Chips
import Composing
import Doctor
import Hexadecimal
import Provisioning
import ReaderInterface
import ReaderSession
import SafeTag
import TagTypes
import Terminal
import USBReaders
import VirtualPCSC
import VirtualPN532
import WriteJournal

struct Advice {
    let text: String

    init?(for failure: any Failure) {
        // These failures only summarise findings that the command has already reported.
        if failure is FailedCheck || failure is TagsPassedOver { return nil }
        let cause = Self.cause(of: failure)
        if let sick = cause as? SickReader {
            guard let advice = sick.advice else { return nil }
            text = advice
            return
        }
        if let error = cause as? ReaderError,
            let advice = OpeningAdvice.text(for: error, named: OpeningAdvice.namedReader, in: .now())
        {
            text = advice
            return
        }
        if let exists = failure as? FileExists {
            text = exists.advice
            return
        }
        guard let text = Self.text(for: cause) ?? Self.text(for: failure.name) else { return nil }
        self.text = text
    }

    private static func cause(of failure: any Failure) -> any Error {
        let cause = (failure as? TagFailure)?.cause ?? failure
        return (cause as? Interrupted)?.told ?? (cause as? RowNotStored)?.cause ?? cause
    }

    private static func text(for cause: any Error) -> String? {
        switch cause {
        case ReaderError.noReader(let connection?): ReaderNameAdvice.text(forMissing: connection)
        case VirtualReaderError.notAKind(let word, let known):
            ReaderNameAdvice.text(forUnknownKind: word, among: known)
        case VirtualReaderError.notAnOption(let word, let known):
            Spelling(word).nearest(in: known).map { "Did you mean  \($0) ?" }
        case ReaderError.noPermission(_, let path):
            """
            See who may open it:  ls -l \(path)
            What to do about it:  nfctool doctor
            """
        case ReaderError.cannotListen:
            """
            This needs a PN532 on a serial port, I2C or SPI:  --reader pn532_uart:/dev/ttyUSB0
            To try without one:  --reader 'virtual:?antenna=desk'
            """
        case ReaderError.cannotSend(_, _, let technology, _), TagError.reader(.cannotSend(_, _, let technology, _)),
            TagError.writeInterrupted(.unchanged, _, _, .reader(.cannotSend(_, _, let technology, _))):
            """
            Nothing was written. Readers that can send it: \(SmartCardReaders.alternatives(for: technology).joined(separator: ", ")). \
            Readers that libnfc drives can also send it, except to ISO 15693 tags.
            """
        case TagError.writeInterrupted(_, _, _, .reader(.cannotSend(_, _, let technology, _))):
            """
            Run nfctool again with a reader that can send this command: \
            \(SmartCardReaders.alternatives(for: technology).joined(separator: ", ")). It then starts from the beginning.
            """
        case PCSCDaemonError.notInstalled: "Install it:  sudo apt install pcscd"
        case PCSCDaemonError.noHandler:
            """
            Build it:  swift build -c release --product nfctool-ifd
            Then copy .build/release/libnfctool-ifd.so to one of these folders.
            """
        case let absence as NoTagToRecover:
            "Place \(absence.awaited.count == 1 ? "tag \(NoTagToRecover.names(of: absence.awaited))" : "one of these tags") on the reader. To wait longer, use --timeout 60s; to wait forever, --timeout 0."
        case is NoReaderCame:
            "Hold a phone near the reader's antenna. To wait longer, use --timeout 60s; to wait forever, --timeout 0."
        case ReaderError.busy(_, .some), VirtualReaderError.fileInUse:
            "Close that program, or wait for it, and run the command again."
        case ReaderError.readerFailed(_, _, _, .taken):
            "Wait for that program to finish, or stop it, and run the command again."
        case ReaderError.readerFailed(_, _, _, .tooFast):
            "Use a lower speed (the lowest is ?speed=230400), or leave the option out to use the usual speed."
        // A user who unplugged the reader needs no advice to unplug it.
        case ReaderError.readerFailed(_, _, _, .unplugged):
            "Plug the reader in, and run the command again. If it was not unplugged, try another port or cable."
        case ReaderError.readerFailed(_, _, _, .noDaemon):
            """
            Start it:                    sudo systemctl start pcscd.socket
            Find out why it is stopped:  nfctool doctor
            """
        case is ReaderLabelError:
            "Write lines such as  desk = usb:1-2 , door = serial:ABC123  or  board = pn532_uart:/dev/ttyUSB0 ; # begins a comment."
        case is ForcedEnd: "If a tag was being written:  nfctool recover --list"
        case TagError.readOnly(_, true):
            """
            Nothing was changed. If its lock bits are not set, a dump from before makes the tag writable again:
            nfctool restore FILE --lock-bits
            """
        case let unfinished as UnfinishedWrite where unfinished.remainder == .emptyMessage:
            """
            nfctool recover --rollback   brings the message back
            nfctool erase                leaves the tag empty and forgets the lock
            """
        case let unfinished as UnfinishedWrite where unfinished.remainder == .openLock:
            """
            nfctool lock                 locks the rest
            nfctool recover --rollback   leaves the lock unfinished; what is locked stays locked
            """
        case let unfinished as UnfinishedWrite where unfinished.remainder == .oldMessage:
            """
            nfctool recover              finishes the write
            nfctool recover --rollback   keeps the old message and forgets the write
            """
        case let unfinished as UnfinishedWrite where unfinished.isLockImpossible:
            "nfctool recover --rollback   leaves the lock unfinished; what is locked stays locked"
        case let unfinished as WriteInterrupted where unfinished.end?.kind == .wrongPassword:
            unfinished.end.flatMap(text(for:))
        case let cut where isJournaled(cut):
            """
            The old content is kept on disk. When you have the tag again:
            nfctool recover              finishes the write
            nfctool recover --rollback   brings the old message back
            """
        case let unfinished as WriteInterrupted: text(for: unfinished.cut.cause)
        case SessionError.noRadio:
            """
            Type 5 Tags (ICODE, ST25DV, NTAG 5) need a PC/SC reader such as an ACR1552U, uTrust 3721F or OMNIKEY 5022.
            To try without one:  --reader virtual:icode-slix2-ndef
            """
        case let restore as RestoreInterrupted:
            """
            \(restore.unkept?.advice ?? "Run the command again; it writes what is missing.") The old content is kept on disk:
            \((["nfctool restore", ShellLine.quoted(restore.old)] + restore.options).joined(separator: " "))   brings it back\(WayBack.exception(restore.permanent))\
            \(restore.older.map { "\nFrom before an earlier restore:  \(ShellLine.quoted($0))" } ?? "")
            """
        case let journal as JournalFailure: journal.advice ?? text(for: journal.error)
        case is UnfinishedProtection:
            """
            Run the same `nfctool protect` or `nfctool unprotect` again: it finishes the change.
            A restore without --configuration does not change the password.
            """
        case let unreadable as UnreadableEntries: unreadable.errors.first.flatMap(text(for:))
        case WriteJournalError.newer: "Update nfctool. Until then, the entry stays as it is."
        case WriteJournalError.damaged(_, _, nil):
            """
            The entry stays as it is. See what the tag holds:  nfctool read
            The next write to the tag moves the file aside; delete it if the tag's content is correct.
            """
        case WriteJournalError.damaged:
            "See what the tag holds:  nfctool read\nRun the command again: the file no longer blocks it."
        case WriteJournalError.notReadable(let path, _): "See who may read it:  ls -ld \(ShellLine.quoted(path))"
        case is WriteJournalError:
            "Set XDG_STATE_HOME to a folder you may write. Only write, erase and copy can run without a journal:  "
                + "--no-journal"
        case is ChangedWhileAsked: "Run the command again; it shows the tag as it is now."
        case let rewritten as RewrittenMeanwhile:
            """
            See what it holds:  nfctool read
            Run the command again to replace that\(rewritten.isJournaled ? "; nfctool recover --rollback brings back what it held before." : ".")
            """
        case TagError.writeInterrupted(.unchanged, _, _, _):
            "Hold the tag still on the reader and run the command again."
        case TagError.writeInterrupted:
            "Hold the tag still on the reader and run the command again; it starts from the beginning."
        case let cause where RefusedHalfway.isReason(for: cause):
            "Part of the change is done, see above. `nfctool info` shows the tag as it is now."
        case TagError.passwordNeeded, is NoPassword:
            """
            Give the file with the password:  --password-file FILE
            It contains 8 hexadecimal digits such as 1A2B3C4D, or 32 for the key of an Ultralight C or AES. \
            NFCTOOL_PASSWORD in the environment also works.\(isForReading ? "" : " Nothing was changed.")
            """
        // Do not say here that nothing was changed: blocks may have been written when a blank tag was initialised.
        case TagError.passwordUnsupported: "Use the tool that set the password, or another tag."
        case TagError.notNDEF(_, hasForeignDirectory: true):
            """
            Nothing was changed. To erase the whole card and make it blank, as delivered:
            nfctool format --factory --key-file FILE
            """
        case TagError.keyNeeded:
            """
            The well-known public keys do not open it, and neither do the keys that were given. Nothing was changed.
            Give the card's keys:  --key-file FILE  (a list of keys, or a dump of the card that has them)
            """
        case TagError.messageNeedsKey:
            """
            Nothing was changed. See what it does:  nfctool sdm status
            To change the URL:  nfctool sdm setup URL --key-file FILE
            To make it an ordinary tag:  nfctool sdm reset --key-file FILE
            """
        case TagError.factoryKeys: "Run this first:  nfctool sdm keys --key-file FILE"
        case TagError.wrongKey:
            """
            Nothing was changed. Give the file with the tag's keys. Without a file, nfctool uses zeros, the keys of a new tag.
            After an interrupted change of keys, run `nfctool sdm keys` again with the same two files. The tag counts wrong
            keys, and answers slowly after 50 in a row.
            """
        case is SDMSetupInterrupted, is KeyChangeInterrupted, is DynamicResetInterrupted:
            "Place the tag again and run the same command with the same files: it finishes the change, and verifies it."
        case is AddressNotProven:
            "Hold the tag still on the reader and run the command again; it reads the URL once more."
        case TagError.wrongPassword(.count(0)):
            "Trying again does not help, whatever the password. What the tag shows without a password can still be read."
        case TagError.wrongPassword(.none):
            "Nothing was changed. Wrong passwords do not close this tag, so you can try another one."
                + (command == ProtectCommand.self
                    ? "\nIf the tag is to get a new password, also give the one that it has now:  --old-password-file FILE"
                    : "")
        case TagError.wrongPassword(let remaining):
            """
            This attempt \(remaining == .unknown ? "may have counted" : "counted"). Check the password before you try again:
            some tags close permanently after a few wrong ones, and then refuse even the right one.
            """
        case is PerhapsClosed:
            "A tag that is closed refuses even the right password. What it shows without a password can still be read."
        case TagError.foreignPACK:
            """
            Nothing was changed. Check the PACK, the 4 digits after the colon, or give the password without it.
            If the PACK is right, this is a different tag with the same password.
            """
        case TagError.passwordUnanswered:
            "Hold the tag still on the reader. Another attempt may count as a wrong password, so nfctool asks first."
        case let risk as PasswordRisk:
            risk.advice(after: command)
        case TagError.tooLong(let length, let capacity) where capacity == ChipModel.ntag424.capacity:
            "Shorten the message by \(ByteCount(length - capacity))."
        case TagError.tooLong(let length, let capacity):
            "Shorten the message by \(ByteCount(length - capacity))\(largerTags(for: length))."
        case let long as TooLongToEmulate: "Shorten the message by \(ByteCount(long.needed - long.capacity))."
        case is FaultyMessage: FaultyMessage.advice
        case is SymbolicLink.InUse: SymbolicLink.InUse.advice
        case TagError.noRoomBeside: "Without --atomic, the message replaces the old one."
        case TagError.cannotMakeReadOnly: "Nothing was changed. `nfctool info` shows what is known about the tag."
        case TagError.noReliableAnswer:
            "Hold the tag still in the middle of the reader and run the command again. Metal nearby weakens the field."
        case TagError.changedSincePlanned: "Run the command again: it shows what would be locked now."
        case TagError.lockInterrupted(_, _, .reader(.aborted)), TagError.lockInterrupted(_, _, .reader(.tagLost)):
            "Place the tag again and run the same command: it finishes the lock and verifies all of it."
        case TagError.protectionInterrupted(_, _, .reader(.aborted)):
            "Place the tag again and run the same command: it finishes the change."
        case TagError.lockWithoutEffect, TagError.lockInterrupted(_, _, .lockWithoutEffect):
            "Do not rely on this lock. If the content must not change, use another kind of tag."
        case is MixedOneTimeBits:
            "Without --otp, restore leaves these bits unchanged. To restore all of them, use another tag."
        case let error as any AdvisedError: error.advice
        case let dump as BrokenDump where dump.isOfVirtualTag:
            "It may be the file of a virtual tag:  --reader virtual:\(ShellLine.quoted(dump.source))"
        case let dump as BrokenDump where dump.kind == .wrongChip:
            "Save the dump as JSON, which supports every tag:  \(dump.command(after: CommandLine.arguments))"
        case TagError.protocolViolation:
            "Try another tag of the same kind: this one may be damaged. To see its memory:  nfctool info"
        default: FileAdvice.text(for: cause)
        }
    }

    /// Returns a clause that names common tags with room for a message of this length in bytes.
    ///
    /// Empty if none of these tags is large enough.
    private static func largerTags(for length: Int) -> String {
        let chips = [ChipModel.ntag213, .ntag215, .ntag216].filter { ($0.capacity ?? 0) >= length }
        let clauses = chips.enumerated().map { index, chip in
            "\(chip.shortName) \(index == 0 ? "holds \(chip.capacity ?? 0) bytes" : "\(chip.capacity ?? 0)")"
        }
        return clauses.isEmpty ? "" : ", or use a larger tag: \(clauses.joined(separator: ", "))"
    }

    /// Whether the command never changes a tag, so that it need not say so.
    private static var isForReading: Bool {
        command == ReadCommand.self || command == DumpCommand.self || command == ScanCommand.self
    }

    /// Whether the command puts content on a tag, for which another tag would also do.
    private static var isForNewContent: Bool {
        command == WriteCommand.self || command == CopyCommand.self || command == RestoreCommand.self
    }

    /// The command that this process runs.
    private static var command: (any ParsableCommand.Type)? {
        CommandWords(Array(CommandLine.arguments.dropFirst())).command
    }

    /// Whether the journal still holds the old content of the tag that the error is about.
    private static func isJournaled(_ cause: any Error) -> Bool {
        switch cause {
        // `recover` finds a tag by its UID, so it cannot find a tag with a random UID.
        case let unfinished as WriteInterrupted: unfinished.isJournaled && !unfinished.hasRandomUID
        case let unfinished as MirrorInterrupted: unfinished.isJournaled
        case is UnfinishedWrite: true
        default: false
        }
    }

    private static func text(for name: ErrorName) -> String? {
        switch name {
        case .noReader:
            """
            Looked for USB readers and for those in libnfc's configuration (/etc/nfc/libnfc.conf, LIBNFC_DEVICE).
            Plug a reader in, or name one:  --reader pn532_uart:/dev/ttyUSB0 ; to try without one:  --reader virtual
            """
        case .readerBusy:
            "Another program has the reader open. To see which one:  nfctool doctor"
        case .readerIO: "Unplug the reader, plug it in again and run the command again; --trace shows its answers."
        case .timeout: "Place a tag on the reader. To wait longer, use --timeout 60s; to wait forever, --timeout 0."
        case .tagLost: "Hold the tag still on the reader and run the command again."
        case .readOnly: "Nothing was changed.\(isForNewContent ? " Use another tag." : "")"
        case .passwordNeeded: "Nothing was changed. Use the tool that set the password."
        case .severalTags: "Remove the others, or choose one:  --uid UID"
        case .wrongChip: "Nothing was changed; `nfctool info` shows what kind of tag it is."
        case .notNDEF: "`nfctool info` shows what kind of tag it is."
        case .confirmationNeeded: "Add --yes to go ahead."
        case .internal: "This is a bug in nfctool. Please report it, with the output of the same command and --trace."
        // In these cases, the message itself says what to do, or the error provides its own advice.
        case .usage, .badNDEF, .badPlan, .badFile, .notGenuine, .tagsDiffer, .noKeyboard, .addressBusy,
            .passwordUnanswered, .rowsLeft, .journalBusy, .journalAway, .unfinishedWrite, .tagProtocol, .wrongPassword,
            .noPermission, .tooLarge, .wrongReader, .interrupted:
            nil
        }
    }
}
