// One check of the doctor, and what came of it — Docs/CommandLine.md, doctor

/// What a check looks at: a word for scripts, a title for people; their order is the order of the report.
enum CheckName: String, Encodable, CaseIterable, Sendable {
    case reader, unsupported, serial, configuration, node, permission, kernelDriver, blacklist, pcscd, holder
    case machine, names, opens

    var title: String {
        switch self {
        case .reader: "Reader"
        case .unsupported: "Other readers"
        case .serial: "Serial ports"
        case .configuration: "libnfc"
        case .node: "Device node"
        case .permission: "Permission"
        case .kernelDriver: "Kernel driver"
        case .blacklist: "Blacklist"
        case .pcscd: "pcscd"
        case .holder: "In use"
        case .machine: "Machine"
        case .names: "Names"
        case .opens: "Opening"
        }
    }
}

/// A check that was made.
struct Examination: Hashable, Sendable {
    enum Status: String, Encodable, Sendable {
        case ok, warning, problem, notApplicable
    }

    let name: CheckName
    let status: Status
    /// The reader it is about, as `--reader` takes it; nil for the whole system.
    let reader: String?
    /// What was found, in one line.
    let statement: String
    let remedy: Remedy?
    /// What a command would fail with; for problems only.
    let error: ErrorName?
    /// For scripts.
    let facts: [String: FailureDetail]

    private init(
        _ name: CheckName, _ status: Status, _ statement: String, reader: String?, remedy: Remedy?, error: ErrorName?,
        facts: [String: FailureDetail]
    ) {
        self.name = name
        self.status = status
        self.reader = reader
        self.statement = statement
        self.remedy = remedy
        self.error = error
        self.facts = facts
    }

    /// All is well.
    static func ok(
        _ name: CheckName, _ statement: String, reader: String? = nil, facts: [String: FailureDetail] = [:]
    ) -> Examination {
        Examination(name, .ok, statement, reader: reader, remedy: nil, error: nil, facts: facts)
    }

    /// Nothing to look at.
    static func notApplicable(_ name: CheckName, _ statement: String, reader: String? = nil) -> Examination {
        Examination(name, .notApplicable, statement, reader: reader, remedy: nil, error: nil, facts: [:])
    }

    /// It works, or might, and something should be known or done.
    static func warning(
        _ name: CheckName, _ statement: String, reader: String? = nil, _ remedy: Remedy,
        facts: [String: FailureDetail] = [:]
    ) -> Examination {
        Examination(name, .warning, statement, reader: reader, remedy: remedy, error: nil, facts: facts)
    }

    /// It keeps the reader from being used.
    static func problem(
        _ name: CheckName, _ error: ErrorName, _ statement: String, reader: String? = nil, _ remedy: Remedy,
        facts: [String: FailureDetail] = [:]
    ) -> Examination {
        Examination(name, .problem, statement, reader: reader, remedy: remedy, error: error, facts: facts)
    }
}
