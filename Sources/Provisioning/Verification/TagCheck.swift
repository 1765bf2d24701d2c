// What a tag of a plan turned out to be when it came again — Docs/Provisioning.md, Verifying

public import Foundation
import SafeTag

/// What was found of one tag, compared with its row.
public struct TagCheck: Hashable, Sendable {
    /// What the tag holds.
    public enum Content: String, Hashable, Sendable, Codable {
        /// The row's message, byte for byte but for what the chip fills in.
        case same
        /// Another message.
        case changed
        /// None, or an empty one.
        case erased
        /// It could not be read.
        case unreadable
    }

    /// Whether the tag asks for a password.
    public enum Password: String, Hashable, Sendable, Codable {
        /// It asks for none.
        case none
        /// It asks for one, and none was sent.
        case asked
        /// It accepted the row's.
        case accepted
        /// It refused the row's.
        case refused
        /// Its chip is not known to have one.
        case notSupported
    }

    /// Why a tag does not agree with the plan.
    public enum Problem: String, CaseIterable, Hashable, Sendable, Codable {
        /// The plan has no row for it.
        case unknownTag
        /// Its row was not provisioned to the end.
        case unfinished
        /// Its chip is not the one that was written, or not the one that its row requires.
        case otherChip
        /// It holds another message.
        case contentChanged
        /// It holds none any more.
        case erased
        /// Its message could not be read.
        case unreadable
        /// Its row wants a lock, and it has none.
        case notLocked
        /// It is locked, and its row does not want that.
        case locked
        /// Whether it is locked cannot be read.
        case lockUnknown
        /// Its row wants a password, and it asks for none.
        case notProtected
        /// It asks for a password, and its row wants none.
        case protected
        /// Whether it asks for a password cannot be found out.
        case passwordUnknown
        /// It does not take the row's password.
        case wrongPassword
        /// Its password protects fewer blocks than nfctool protects.
        case partlyProtected
        /// It asks for the password for reading, too.
        case readingProtected
        /// Its maker's signature is not as it was, or gone: the chip is another one.
        case otherSignature
    }

    /// The tag; its chip is as it was read, or what activation tells of it.
    public internal(set) var tag: ProvisionedTag
    /// Its UID.
    public let uid: [UInt8]
    /// Its row, as the journal has it; nil for a tag that has none.
    public let row: JournalRow?
    /// What it holds; nil for a tag without a row, which is not read.
    public var content: Content?
    /// Whether its chip is not the one that was written, or not the one that its row requires.
    public var isOtherChip = false
    /// Whether it is locked; nil where that cannot be read.
    public var isLocked: Bool?
    /// Whether it asks for a password; nil where that cannot be found out.
    public var password: Password?
    /// Whether its row wants a password that was not tried, because none was given.
    public var isPasswordMissing = false
    /// The first block that its password protects (AUTH0); nil for a tag that asks for none, or where it cannot be read.
    public var protectedFrom: Int?
    /// Whether reading needs the password, too; nil for a tag that asks for none, or where that is not known.
    public var isReadingProtected: Bool?
    /// What its maker's signature says: `genuine`, `notGenuine` or `notSupported`; nil when it says nothing.
    public var signature: String?
    /// Why it does not agree; empty for a tag that does.
    public internal(set) var problems: [Problem] = []
    /// Why it could not be read, a sentence.
    public var reason: String?
    /// When it was looked at.
    public let time: Date

    init(_ tag: ProvisionedTag, uid: [UInt8], row: JournalRow?, time: Date = .now) {
        (self.tag, self.uid, self.row, self.time) = (tag, uid, row, time)
    }

    /// Whether the tag is as its row wants.
    public var agrees: Bool { problems.isEmpty }

    /// Whether it asks for a password, whatever became of that.
    var asksForPassword: Bool {
        switch password {
        case .asked?, .accepted?, .refused?: true
        case Password.none?, .notSupported?, nil: false
        }
    }

    /// Finds out where the tag does not agree with its row.
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
        // Of a tag that could not be read, what else is not known is no problem of its own.
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
        // A tag whose row wants no password has its problem already.
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

/// How far a verification has come.
public struct VerificationSummary: Hashable, Sendable {
    /// The rows that have a tag, which can be seen.
    public let rows: Int
    /// The rows that no tag has yet.
    public let withoutTag: Int
    /// The tags that were seen, each once.
    public private(set) var seen = 0
    /// Those of them that agree.
    public private(set) var agreeing = 0
    /// How many tags have each problem.
    public private(set) var problems: [TagCheck.Problem: Int] = [:]
    /// How many tags say this of their signature.
    public private(set) var signatures: [String: Int] = [:]
    /// How many tags are locked, and ask for a password.
    public private(set) var (locked, protected) = (0, 0)
    /// The rows whose tags were not seen.
    public private(set) var unseen = RowNumbers()
    /// The first of them, at most ``listed``.
    public private(set) var firstUnseen: [Int] = []
    /// More rows than these are only counted.
    public static let listed = 20
    /// How long it has taken.
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

    mutating func addUnseen(_ row: Int) {
        unseen.add(row)
        if firstUnseen.count < Self.listed { firstUnseen.append(row) }
    }

    /// Whether at least one tag was seen, and all that were agree.
    public var isAgreed: Bool { seen > 0 && agreeing == seen }
}
