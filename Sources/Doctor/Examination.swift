// One check of the doctor, and what came of it — Docs/CommandLine.md, doctor

/// What a check looks at.
///
/// The raw values stay the same from release to release; the order is that of a diagnosis.
public enum CheckName: String, Hashable, CaseIterable, Sendable {
    /// Whether there is a reader.
    case reader
    /// Readers that neither libnfc nor pcscd drives.
    case unsupported
    /// Serial adapters, which may carry a PN532.
    case serial
    /// What libnfc's files and environment make it do.
    case configuration
    /// Whether there is a device node to open.
    case node
    /// Whether this user may open it.
    case permission
    /// Whether a driver of the kernel's has claimed the reader.
    case kernelDriver
    /// Whether the kernel is kept from doing that.
    case blacklist
    /// Whether the smart-card daemon has the reader.
    case pcscd
    /// Whether another process has it.
    case holder
    /// A virtual machine or a container between this program and the reader.
    case machine
    /// Readers that look alike.
    case names
    /// Whether the reader opens, and its chip answers.
    case opens
}

/// A fact that a check found.
public enum Fact: Hashable, Sendable {
    /// A number: of a process, or of milliseconds.
    case number(Int)
    /// A name or a path.
    case text(String)
    /// Names.
    case list([String])
}

/// A check that was made.
public struct Examination: Sendable {
    /// What came of a check.
    public enum Status: String, Hashable, Sendable {
        /// All is well.
        case ok
        /// It works, or might, and something should be known or done.
        case warning
        /// It keeps the reader from being used.
        case problem
        /// There was nothing to look at.
        case notApplicable
    }

    /// What was looked at.
    public let name: CheckName
    /// What came of it.
    public let status: Status
    /// The reader it is about, as `--reader` takes it; nil for the whole system.
    public let reader: String?
    /// What was found, in one line.
    public let statement: String
    /// What to know and to do; for warnings and problems only.
    public let remedy: Remedy?
    /// What keeps the reader from being used; for problems only.
    public let obstacle: Obstacle?
    /// What was found, for programs: by the names that Docs/JSON.md lists under Doctor.
    public let facts: [String: Fact]

    private init(
        _ name: CheckName, _ status: Status, _ statement: String, reader: String?, remedy: Remedy?, obstacle: Obstacle?,
        facts: [String: Fact]
    ) {
        self.name = name
        self.status = status
        self.reader = reader
        self.statement = statement
        self.remedy = remedy
        self.obstacle = obstacle
        self.facts = facts
    }

    /// All is well.
    static func ok(
        _ name: CheckName, _ statement: String, reader: String? = nil, facts: [String: Fact] = [:]
    ) -> Examination {
        Examination(name, .ok, statement, reader: reader, remedy: nil, obstacle: nil, facts: facts)
    }

    /// Nothing to look at.
    static func notApplicable(_ name: CheckName, _ statement: String, reader: String? = nil) -> Examination {
        Examination(name, .notApplicable, statement, reader: reader, remedy: nil, obstacle: nil, facts: [:])
    }

    /// It works, or might, and something should be known or done.
    static func warning(
        _ name: CheckName, _ statement: String, reader: String? = nil, _ remedy: Remedy,
        facts: [String: Fact] = [:]
    ) -> Examination {
        Examination(name, .warning, statement, reader: reader, remedy: remedy, obstacle: nil, facts: facts)
    }

    /// It keeps the reader from being used.
    static func problem(
        _ name: CheckName, _ obstacle: Obstacle, _ statement: String, reader: String? = nil, _ remedy: Remedy,
        facts: [String: Fact] = [:]
    ) -> Examination {
        Examination(name, .problem, statement, reader: reader, remedy: remedy, obstacle: obstacle, facts: facts)
    }
}
