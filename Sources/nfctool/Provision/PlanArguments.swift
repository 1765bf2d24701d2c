// Plans on the command line, and the values of their settings — Docs/CommandLine.md, provision

public import ArgumentParser
public import Provisioning

extension RequiredChip {
    /// The name of the chip as one word that a shell need not quote, such as `ultralight-ev1-mf0ul11`.
    var word: String {
        name.lowercased().replacing("\u{B5}", with: "micro").split { !$0.isASCII || !($0.isLetter || $0.isNumber) }
            .joined(separator: "-")
    }

    /// Returns the chip with a name.
    ///
    /// If there is no such chip, the error lists all names. With more than thirty, they are too many for the help.
    static func named(_ name: String) throws -> RequiredChip {
        guard let chip = RequiredChip(named: name) else {
            throw ValidationError("Known chips: \(all.map(\.name).joined(separator: ", ")).")
        }
        return chip
    }
}

extension RowSettings.Overwrite: ExpressibleByArgument {}
extension PlanEncoding: ExpressibleByArgument {}

struct PlanArgument: ParsableArguments {
    @Argument(help: ArgumentHelp("The plan: FILE.csv, FILE.tsv or FILE.jsonl.", valueName: "plan"), completion: .file())
    var plan: String?

    @Option(
        help: ArgumentHelp("Numbers instead of a plan, one row each: 1-1000. {n} is the number.", valueName: "range"))
    var range: String?

    @Option(
        help: ArgumentHelp("With --range, the step between numbers.", discussion: "Default: 1.", valueName: "n"))
    var step: Int?

    @Option(help: "The encoding of the plan, if its bytes do not show it. Default: UTF-8.")
    var encoding: PlanEncoding?

    /// Returns the source of the rows.
    ///
    /// - Parameter named: the plan that is given with `--plan`.
    /// - Returns: a file or a range.
    /// - Throws: `ValidationError` if no plan, or more than one, is named.
    func source(or named: String?) throws -> PlanSource {
        guard step == nil || range != nil else { throw ValidationError("--step requires --range.") }
        guard encoding == nil || range == nil else { throw ValidationError("--encoding cannot be used with --range.") }
        guard step ?? 1 >= 1 else { throw ValidationError("--step must be at least 1.") }
        let names = [plan, named].compactMap(\.self)
        switch (names.first, range, names.count) {
        case (nil, let range?, _):
            do { return .range(try PlanRange(range, step: step ?? 1)) } catch { throw ValidationError("\(error)") }
        case (let name?, nil, 1): return .file(name, encoding)
        case (nil, nil, _): throw ValidationError("Name a plan, or give --range.")
        case (_, nil, _): throw ValidationError("Name the plan once, with --plan or without.")
        case (_?, _?, _): throw ValidationError("Give a plan or --range, not both.")
        }
    }
}

struct RowCount: ParsableArguments {
    @Option(help: ArgumentHelp("Stop after this many rows are done.", valueName: "n"))
    var count: Int?

    /// The earlier name of `--count`.
    ///
    /// In `protect`, `--limit` has another meaning.
    @Option(name: .customLong("limit"), help: .hidden)
    var limit: Int?

    /// The number of rows after which a run stops, or nil for no limit.
    var rows: Int? { count ?? limit }

    func validate() throws {
        guard [count, limit].compactMap(\.self).allSatisfy({ $0 >= 1 }) else {
            throw ValidationError("--count must be at least 1.")
        }
        guard count == nil || limit == nil else {
            throw ValidationError("--limit is the earlier name of --count. Give only one of them.")
        }
    }
}
