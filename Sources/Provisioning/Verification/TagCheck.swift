// The result of verifying a tag of a plan — Docs/Provisioning.md, Verifying

public import Foundation
import SafeTag

/// The result of comparing one tag with its row.
public struct TagCheck: Hashable, Sendable {
    /// What a tag holds, compared with its row.
    public enum Content: String, Hashable, Sendable, Codable {
        /// The row's message, byte for byte except for what the chip fills in.
        case same
        /// Another message.
        case changed
        /// No message, or an empty one.
        case erased
        /// The content could not be read.
        case unreadable
    }

    /// Whether a tag requires a password, and what happened if the password was sent.
    public enum Password: String, Hashable, Sendable, Codable {
        /// The tag requires no password.
        case none
        /// The tag requires a password, but none was sent.
        case asked
        /// The tag accepted the row's password.
        case accepted
        /// The tag refused the row's password.
        case refused
        /// The chip is not known to support passwords.
        case notSupported
    }

    /// A difference between a tag and the plan.
    public enum Problem: String, CaseIterable, Hashable, Sendable, Codable {
        /// The plan has no row for the tag.
        case unknownTag
        /// The tag's row was not provisioned completely.
        case unfinished
        /// The chip differs from the one that was written, or from the one that the row requires.
        case otherChip
        /// The tag holds another message.
        case contentChanged
        /// The tag no longer holds a message.
        case erased
        /// The message could not be read.
        case unreadable
        /// The row requires a lock, but the tag has none.
        case notLocked
        /// The tag is locked, but its row does not require a lock.
        case locked
        /// It cannot be determined whether the tag is locked.
        case lockUnknown
        /// The row requires a password, but the tag has none.
        case notProtected
        /// The tag requires a password, but its row does not specify one.
        case protected
        /// It cannot be determined whether the tag requires a password.
        case passwordUnknown
        /// The tag does not accept the row's password.
        case wrongPassword
        /// The password was given but not sent, because a wrong one could close the tag, or the tag did not answer.
        case passwordNotTried
        /// The password protects fewer blocks than nfctool would protect.
        case partlyProtected
        /// The tag also requires the password for reading.
        case readingProtected
        /// The originality signature has changed or is missing, so the chip is a different one.
        case otherSignature
    }

    /// The tag, with the chip's name as read or, if it was not read, the type known from activation.
    public internal(set) var tag: ProvisionedTag
    /// The tag's UID.
    public let uid: [UInt8]
    /// The tag's row in the journal, or nil if the tag has none.
    public let row: JournalRow?
    /// The tag's content, or nil for a tag without a row, whose content is not read.
    public var content: Content?
    /// Whether the chip differs from the one that was written, or from the one that the row requires.
    public var isOtherChip = false
    /// Whether the tag is locked, or nil if that cannot be read.
    public var isLocked: Bool?
    /// Whether the tag requires a password, and whether it accepted one.
    ///
    /// Nil if this cannot be determined.
    public var password: Password?
    /// Whether the row has a password that was not tried because it was not given.
    public var isPasswordMissing = false
    /// Whether the given password was not sent, or its answer was lost.
    var isPasswordUntried = false
    /// Whether the password that was tried is certainly that of the row, so that the tag must accept it.
    var isPasswordCertain = false
    /// The first block that the password protects (AUTH0).
    ///
    /// Nil if the tag requires no password or the block cannot be read.
    public var protectedFrom: Int?
    /// Whether reading also needs the password.
    ///
    /// Nil if the tag requires no password or this is not known.
    public var isReadingProtected: Bool?
    /// The result of the originality check: `genuine`, `notGenuine` or `notSupported`.
    ///
    /// Nil if there was no check.
    public var signature: String?
    /// The differences from the plan.
    ///
    /// The list is empty if there are none.
    public internal(set) var problems: [Problem] = []
    /// Why the tag could not be read or does not hold its row, or a remark about a tag without a row, as a sentence.
    ///
    /// Nil if there is nothing to say.
    public var reason: String?
    /// The time of the check.
    public let time: Date

    init(_ tag: ProvisionedTag, uid: [UInt8], row: JournalRow?, time: Date = .now) {
        (self.tag, self.uid, self.row, self.time) = (tag, uid, row, time)
    }

    /// Whether the tag matches its row.
    public var agrees: Bool { problems.isEmpty }

    /// The number of the row if its tag no longer holds the row, or has lost its password.
    ///
    /// The row can then be reset.
    ///
    /// Nil for a row that is being written, and for another chip with the same UID, because the row's own tag may
    /// still hold the row.
    package var lostRow: Int? {
        guard let row, row.state != .bound, row.state != .written else { return nil }
        let isLost = problems.contains(.contentChanged) || problems.contains(.erased) || hasLostPassword
        let isOther = problems.contains(.otherChip) || problems.contains(.otherSignature)
        return isLost && !isOther ? row.row.number : nil
    }

    /// Whether the tag certainly requires no password any more, requires another one, or requires it for fewer blocks
    /// than before.
    ///
    /// A refused password does not count if the user may have given a wrong one.
    package var hasLostPassword: Bool {
        guard row?.state == .sealed else { return false }
        return problems.contains(.notProtected) && password == Password.none || problems.contains(.partlyProtected)
            || problems.contains(.wrongPassword) && isPasswordCertain
    }

    /// Whether the tag requires a password, even if the password was accepted.
    var asksForPassword: Bool {
        switch password {
        case .asked?, .accepted?, .refused?: true
        case Password.none?, .notSupported?, nil: false
        }
    }

    mutating func judge(_ seal: RowSeal) {
        guard let row else {
            problems = [.unknownTag]
            return
        }
        var problems: [Problem] = []
        let isDone = seal.isNone ? row.state == .proven || row.state == .sealed : row.state == .sealed
        if !isDone { problems.append(.unfinished) }
        switch content {
        case .changed: problems.append(.contentChanged)
        case .erased: problems.append(.erased)
        case .unreadable: problems.append(.unreadable)
        case .same, nil: break
        }
        if isOtherChip { problems.append(.otherChip) }
        // If a tag could not be read, other unknown properties are not separate problems.
        let isRead = content != .unreadable
        switch isLocked {
        case let isLocked? where isLocked != seal.lock: problems.append(isLocked ? .locked : .notLocked)
        case nil where isRead: problems.append(.lockUnknown)
        default: break
        }
        switch password {
        case Password.none? where seal.protect, .notSupported where seal.protect: problems.append(.notProtected)
        case .asked where !seal.protect, .accepted where !seal.protect: problems.append(.protected)
        case .refused: problems.append(.wrongPassword)
        case nil where isRead: problems.append(.passwordUnknown)
        default: break
        }
        if isPasswordUntried { problems.append(.passwordNotTried) }
        // If the row specifies no password, the problem has already been listed.
        if seal.protect, asksForPassword {
            if let protectedFrom, protectedFrom > TagChange.firstProtectedBlock { problems.append(.partlyProtected) }
            if isReadingProtected == true { problems.append(.readingProtected) }
        }
        if let before = row.proof?.signature, signature != before, isRead || signature != nil {
            problems.append(.otherSignature)
        }
        self.problems = problems
    }
}

/// The progress of a verification.
public struct VerificationSummary: Hashable, Sendable {
    /// The number of rows that can be verified because they have a tag.
    public let rows: Int
    /// The number of rows without a tag.
    public let withoutTag: Int
    /// The number of tags that were seen, each counted once.
    public private(set) var seen = 0
    /// The number of seen tags that agree.
    public private(set) var agreeing = 0
    /// The number of tags with each problem.
    public private(set) var problems: [TagCheck.Problem: Int] = [:]
    /// The number of tags with each result of the originality check.
    public private(set) var signatures: [String: Int] = [:]
    /// The number of tags that are locked, and the number of tags that require a password.
    public private(set) var (locked, protected) = (0, 0)
    /// The numbers of the rows whose tags were not seen.
    public private(set) var unseen = RowNumbers()
    /// The numbers of the first rows whose tags were not seen, at most ``listed``.
    public private(set) var firstUnseen: [Int] = []
    /// The UIDs of the tags of ``firstUnseen``.
    public private(set) var tagsUnseen: [[UInt8]] = []
    /// The maximum number of rows that are listed.
    ///
    /// Further rows are only counted.
    public static let listed = 20
    /// The duration of the verification so far.
    public let elapsed: Duration

    init(rows: Int, withoutTag: Int = 0, checks: some Sequence<TagCheck>, elapsed: Duration) {
        (self.rows, self.withoutTag, self.elapsed) = (rows, withoutTag, elapsed)
        for check in checks {
            seen += 1
            if check.agrees { agreeing += 1 }
            for problem in check.problems { problems[problem, default: 0] += 1 }
            if let signature = check.signature { signatures[signature, default: 0] += 1 }
            if check.isLocked == true { locked += 1 }
            if check.asksForPassword { protected += 1 }
        }
    }

    mutating func addUnseen(_ row: JournalRow) {
        unseen.add(row.row.number)
        guard firstUnseen.count < Self.listed else { return }
        firstUnseen.append(row.row.number)
        if let tag = row.tag { tagsUnseen.append(tag.uid) }
    }

    /// Returns the number of rows that remain to be checked if this many are wanted; nil means every row with a tag.
    public func unchecked(of wanted: Int?) -> (rows: Int, of: Int) {
        let total = min(wanted ?? rows, rows)
        return (max(0, total - (rows - unseen.count)), total)
    }

    /// Whether at least one tag was seen and all seen tags agree.
    public var isAgreed: Bool { seen > 0 && agreeing == seen }
}
