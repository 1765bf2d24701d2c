// A column of the table: a command, the tag with which it starts, and the check that it worked

import ReaderInterface
import SafeTag
import TagImage
import TagTypes
import VirtualPCSC
import VirtualPN532

/// A command of nfctool that works with a tag.
enum MatrixCommand: String, CaseIterable, Sendable {
    case info, read, write, erase, format, lock, protect, unprotect, mirror, dump, restore, copy, transceive, apdu,
        recover
}

enum MatrixOutcome: Hashable, Sendable {
    case works
    /// The command was refused, with a reason, and the tag is unchanged.
    case saysWhyNot(FailureKind, String)
    case fails(String)

    /// A command that succeeded, but without effect on the tag.
    struct Unproven: Error, CustomStringConvertible {
        let description: String
    }

    /// The kinds of failure that name what the reader or tag lacks, or a missing password.
    private static let reasons: Set<FailureKind> = [
        .wrongReader, .wrongChip, .readOnly, .passwordNeeded, .notNDEF, .doesNotFit,
    ]

    init(_ error: any Error, isChanged: Bool) {
        guard let error = error as? any ClassifiedError, Self.reasons.contains(error.kind) else {
            self = .fails("\(error)")
            return
        }
        self = isChanged ? .fails("changed the tag: \(error)") : .saysWhyNot(error.kind, "\(error)")
    }
}

/// One command on one kind of tag on one reader.
struct MatrixTrial {
    let command: MatrixCommand
    let tag: PreparedKind
    let place: MatrixPlace

    private let bench: MatrixBench

    init(command: MatrixCommand, tag: PreparedKind, place: MatrixPlace) {
        (self.command, self.tag, self.place) = (command, tag, place)
        bench = place.bench
    }

    func outcome() async -> MatrixOutcome {
        var witness: (any VirtualTag)?
        var before = ""
        do {
            let start = try start()
            witness = start
            before = TagWitness(start).fingerprint
            try place.place(start)
            try await carryOut(on: start)
            return .works
        } catch {
            place.pull(at: nil)
            return MatrixOutcome(error, isChanged: witness.map { TagWitness($0).fingerprint != before } ?? false)
        }
    }

    /// Returns the tag in its state before the command.
    private func start() throws -> any VirtualTag {
        switch command {
        case .format: tag.kind.make()
        case .restore: try tag.other.make()
        case .unprotect: try (tag.protected ?? tag.holding).make()
        default: try tag.holding.make()
        }
    }

    private func require(_ isSo: Bool, _ what: @autoclosure () -> String) throws {
        guard isSo else { throw MatrixOutcome.Unproven(description: what()) }
    }

    private func requireMessage(_ message: [UInt8], on tag: any VirtualTag) throws {
        let found = TagWitness(tag).message
        try require(found == message, "holds \(String(describing: found))")
    }

    private func carryOut(on subject: any VirtualTag) async throws {
        let held = TagWitness(subject)
        let new = PreparedKind.messages[1]
        switch command {
        case .info:
            let info = try await bench.info()
            try require(info.target.identifier == subject.identifier, "another UID")
            try requireMemory(info.memory.blocks.map { ($0.number, $0.bytes) }, of: subject)
            try require(info.state.messageLength == held.message?.count, "says \(info.state)")
        case .read:
            let reading = try await bench.read()
            try require(reading.bytes == held.message ?? [], "read \(reading.bytes)")
        case .write:
            try await bench.write(new)
            try requireMessage(new, on: subject)
        case .erase:
            try await bench.erase()
            try requireMessage([], on: subject)
        case .format:
            let wasBlank = try await bench.format()
            try require(wasBlank == (held.message == nil), "was it blank? \(wasBlank)")
            try requireMessage(held.message ?? [], on: subject)
        case .lock:
            try await bench.lock()
            let locked = TagWitness(subject)
            try require(locked.isReadOnly && locked.message == held.message, "is not locked")
            try await requireLocked(subject)
        case .protect, .unprotect:
            guard let credential = tag.kind.credential else { return }
            if command == .protect { try await bench.protect(with: credential) }
            if command == .unprotect { try await bench.unprotect(with: credential) }
            try requireProtection(command == .protect, credential, of: subject)
        case .mirror:
            try await bench.mirror()
            let pages = TagWitness(subject).memory
            // MIRROR in the first configuration page: UID — NTAG213/215/216, page 41, 131 or 227 after the data.
            let page = pages.count / 4 - 4
            try require(pages[4 * page] & 0xC0 == 0x40, "MIRROR is \(pages[4 * page])")
        case .dump:
            let image = try await bench.dump()
            try requireMemory(image.blocks.map { ($0.number, $0.bytes) }, of: subject)
            try require(!image.blocks.isEmpty || image.message == held.message, "no message in \(image.files)")
        case .restore:
            guard let dump = tag.dump else { throw TagError.unsupported(reason: "there is no dump of it") }
            try await bench.restore(dump)
            try requireMessage(PreparedKind.messages[0], on: subject)
        case .copy:
            let original = try await bench.original()
            let next = tag.kind.make(serial: 2)
            try place.place(next)
            let before = TagWitness(next).fingerprint
            do {
                try await bench.copy(original)
            } catch {
                try require(TagWitness(next).fingerprint == before, "changed the tag: \(error)")
                throw error
            }
            try requireMessage(original.bytes, on: next)
        case .transceive: try requireAnswers(try await bench.play(.own, ownCommands(of: subject)), of: subject)
        case .apdu:
            do {
                try requireAnswers(try await bench.play(.apdu, ["00A4040007D2760000850101"]), of: subject)
            } catch let broken as BrokenSequence where broken.reason == .noStatus(length: 1) {
                throw TagError.unsupported(reason: "\(broken)")
            }
        case .recover: try await recover(subject)
        }
    }

    // MARK: Checks

    /// Checks that the blocks that were read equal those of the tag.
    ///
    /// Passwords are excluded, because they can never be read.
    private func requireMemory(_ blocks: [(number: Int, bytes: [UInt8]?)], of tag: any VirtualTag) throws {
        let memory = TagWitness(tag).memory
        guard !memory.isEmpty else { return }
        var count = 0
        for (number, bytes) in blocks {
            guard let bytes, (number + 1) * bytes.count <= memory.count else { continue }
            let stored = Array(memory[(number * bytes.count)..<((number + 1) * bytes.count)])
            // The last pages of a Type 2 Tag are its configuration, PWD, PACK and keys. Some keys precede them.
            if let tag = tag as? VirtualType2Tag, number >= 16,
                number >= memory.count / 4 - 8 || tag.hiddenBlocks.contains(where: { $0.contains(number) })
            {
                continue
            }
            // Keys can never be read, and a dump contains the keys that opened the sector.
            if command == .info, tag is VirtualClassicTag, number % 4 == 3 { continue }
            try require(bytes == stored, "block \(number) is \(bytes), and stored is \(stored)")
            count += 1
        }
        try require(count >= min(8, memory.count / 16), "\(count) blocks")
    }

    /// Checks that most blocks of a locked ISO 15693 tag are locked, for chips that can lock each of their blocks.
    private func requireLocked(_ tag: any VirtualTag) async throws {
        guard let tag = tag as? VirtualISO15693Tag else { return }
        let locks = tag.lockedBlocks.filter(\.self).count
        // For other chips, no available data sheet says that LOCK BLOCK locks every block.
        let isHard = tag.chip.id.hasPrefix("icode") || tag.chip == .tagItHFI
        try require(!isHard || locks > tag.lockedBlocks.count / 2, "\(locks) blocks are locked")
    }

    /// Checks the first protected page, and PWD for tags with a password.
    private func requireProtection(_ isOn: Bool, _ credential: Type2Credential, of tag: any VirtualTag) throws {
        let memory = TagWitness(tag).memory
        let pages = memory.count / 4
        switch credential {
        case .password(let password):
            let auth0 = Int(memory[4 * (pages - 4) + 3])
            try require(isOn ? auth0 < pages : auth0 >= pages, "AUTH0 is \(auth0)")
            let pwd = Array(memory[(4 * (pages - 2))..<(4 * (pages - 1))])
            try require(pwd == (isOn ? password.pwd : [0xFF, 0xFF, 0xFF, 0xFF]), "PWD is \(pwd)")
        case .key:
            // AUTH0 is in byte 3 of block 29 on an Ultralight AES, and in byte 0 of block 2A on an Ultralight C.
            let auth0 = Int(pages == 0x3C ? memory[4 * 0x29 + 3] : memory[4 * 0x2A])
            try require(isOn ? auth0 < pages : auth0 >= pages, "AUTH0 is \(auth0)")
        }
    }

    /// Returns native commands that read from the tag.
    private func ownCommands(of tag: any VirtualTag) -> [String] {
        let uid = tag.identifier
        switch tag {
        // GET_VERSION, if the chip supports it.
        case is VirtualType2Tag: return Self.nameless.contains(self.tag.kind) ? ["3000"] : ["60"]
        case is VirtualTopazTag: return ["000000"]
        case is VirtualClassicTag:
            let key =
                self.tag.kind.description.hasSuffix("ndef") || self.tag.dump != nil ? "D3F7D3F7D3F7" : "FFFFFFFFFFFF"
            return ["6004" + key + hex(uid.suffix(4)), "3004"]
        case is any FeliCaTag: return ["1006" + hex(uid) + "010B00018000"]
        // GET SYSTEM INFORMATION, or READ SINGLE BLOCK for a chip without it.
        case is VirtualISO15693Tag where self.tag.kind == .vicinity(.myD): return ["2220" + hex(uid.reversed()) + "00"]
        case is VirtualISO15693Tag: return ["222B" + hex(uid.reversed())]
        case is VirtualMIFAREPlusTag: return ["9060000000"]
        default: return ["00A4040007D276000085010100"]
        }
    }

    /// Type 2 Tags without GET_VERSION.
    private static let nameless: Set<MatrixKind> = [
        .proximity(.ultralight), .proximity(.ultralightC), .proximity(.ntag203), .proximity(.st25TN01K),
    ]

    private func hex(_ bytes: some Sequence<UInt8>) -> String {
        bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    private func requireAnswers(_ exchanges: [RawExchange], of tag: any VirtualTag) throws {
        guard let last = exchanges.last else { throw MatrixOutcome.Unproven(description: "no answer") }
        let memory = TagWitness(tag).memory
        let isRight =
            switch (tag, last.answer) {
            case (is VirtualType2Tag, .bytes(let bytes)): bytes.count == 8 || bytes == Array(memory.prefix(16))
            case (is VirtualTopazTag, .bytes(let bytes)): bytes.dropFirst(2).prefix(8) == memory.prefix(8)
            case (is VirtualClassicTag, .bytes(let bytes)): bytes == Array(memory[64..<80])
            // The card has no service for messages, and reports this — JIS X 6319-4, status flags.
            case (is any FeliCaTag, .bytes(let bytes)) where self.tag.kind == .proximity(.feliCaStandard):
                bytes.count == 12 && bytes.dropFirst(2).starts(with: tag.identifier + [0x01, 0xA6])
            // Length, code, IDm, two status flags, the number of blocks, the attribute block.
            case (is any FeliCaTag, .bytes(let bytes)):
                bytes.dropFirst(10).elementsEqual([0x00, 0x00, 0x01] + memory.prefix(16))
            // A reader that does not report the size of a block may return its first half.
            case (is VirtualISO15693Tag, .bytes(let bytes)) where self.tag.kind == .vicinity(.myD):
                bytes == [0x00] + memory.prefix(8)
                    || place.virtual.model == .generic && bytes == [0x00] + memory.prefix(4)
            // Response flags without an error, information flags, the UID.
            case (is VirtualISO15693Tag, .bytes(let bytes)):
                bytes.first == 0x00 && bytes.dropFirst(2).starts(with: tag.identifier.reversed())
            case (_, .bytes(let bytes)): bytes.suffix(2).elementsEqual([status.sw1, status.sw2])
            case (_, .response(let response)): response.sw == status
            default: false
            }
        try require(isRight, "answered \(last.answer)")
    }

    /// The status of the last answer of a card with ISO-DEP.
    ///
    /// It is 9000 if the card has the NDEF application, 91AF with the first part of its version, and 6A82 if the card
    /// has no such application.
    private var status: StatusWord {
        switch tag.kind {
        case .proximity(.applicationCard), .proximity(.applicationCardB), .proximity(.passport):
            StatusWord(rawValue: 0x6A82)
        case .proximity(.mifarePlus): StatusWord(rawValue: 0x91AF)
        default: .success
        }
    }

    /// Interrupts a write when the tag is half written, and finishes the write.
    private func recover(_ subject: any VirtualTag) async throws {
        let new = PreparedKind.messages[1]
        let start = place.virtual.transmits
        try await bench.write(new)
        let whole = place.virtual.transmits - start
        for share in [70, 80, 60, 90, 50] {
            let cut = try tag.holding.make()
            try place.place(cut)
            place.pull(at: max(2, whole * share / 100))
            _ = try? await bench.write(new)
            place.pull(at: nil)
            try place.place(cut)
            guard try await bench.recover() else { continue }
            try requireMessage(new, on: cut)
            return
        }
        throw MatrixOutcome.Unproven(description: "no cut left a write to recover")
    }
}
