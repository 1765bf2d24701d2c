// One check of the doctor and its result — Docs/CommandLine.md, doctor

/// The subject of a check.
///
/// The raw values are stable across releases. The cases are in the order of a diagnosis.
public enum CheckName: String, Hashable, CaseIterable, Sendable {
    /// Whether a reader is connected.
    case reader
    /// Readers that neither libnfc nor pcscd drives.
    case unsupported
    /// Serial adapters to which a PN532 may be connected.
    case serial
    /// The effect of libnfc's configuration files and environment variables.
    case configuration
    /// Whether there is a device node to open.
    case node
    /// Whether this user may open the device node.
    case permission
    /// Whether a kernel driver has claimed the reader.
    case kernelDriver
    /// Whether the kernel is prevented from claiming the reader.
    case blacklist
    /// Whether the smart-card daemon holds the reader.
    case pcscd
    /// Whether another process holds the reader.
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
    /// A process ID or a number of milliseconds.
    case number(Int)
    /// A name or a path.
    case text(String)
    /// A list of names.
    case list([String])
}

/// A check and its result.
public struct Examination: Sendable {
    /// The outcome of a check.
    public enum Status: String, Hashable, Sendable {
        /// The check found no problem.
        case ok
        /// The reader works, or may work, but the user should know or do something.
        case warning
        /// The reader cannot be used.
        case problem
        /// The check does not apply.
        case notApplicable
    }

    /// The subject of the check.
    public let name: CheckName
    /// The outcome of the check.
    public let status: Status
    /// The reader, in the form that `--reader` accepts, or nil for the whole system.
    public let reader: String?
    /// The finding in one line.
    public let statement: String
    /// The cause and the remedy of a warning or problem, or nil for other results.
    public let remedy: Remedy?
    /// The reason why the reader cannot be used, or nil if the check found no problem.
    public let obstacle: Obstacle?
    /// The facts for programs, with the names that Docs/JSON.md lists under Doctor.
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

    static func ok(
        _ name: CheckName, _ statement: String, reader: String? = nil, facts: [String: Fact] = [:]
    ) -> Examination {
        Examination(name, .ok, statement, reader: reader, remedy: nil, obstacle: nil, facts: facts)
    }

    static func notApplicable(_ name: CheckName, _ statement: String, reader: String? = nil) -> Examination {
        Examination(name, .notApplicable, statement, reader: reader, remedy: nil, obstacle: nil, facts: [:])
    }

    /// Creates a check whose reader works, or may work, although the user should know or do something.
    static func warning(
        _ name: CheckName, _ statement: String, reader: String? = nil, _ remedy: Remedy,
        facts: [String: Fact] = [:]
    ) -> Examination {
        Examination(name, .warning, statement, reader: reader, remedy: remedy, obstacle: nil, facts: facts)
    }

    static func problem(
        _ name: CheckName, _ obstacle: Obstacle, _ statement: String, reader: String? = nil, _ remedy: Remedy,
        facts: [String: Fact] = [:]
    ) -> Examination {
        Examination(name, .problem, statement, reader: reader, remedy: remedy, obstacle: obstacle, facts: facts)
    }
}
