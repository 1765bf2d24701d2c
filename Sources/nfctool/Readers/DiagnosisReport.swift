// A diagnosis as one JSON object — Docs/JSON.md, Doctor

import Doctor

struct DiagnosisReport: Encodable {
    private let diagnosis: Diagnosis
    private let shell: ShellLine
    private let repairs: [Repair.Outcome]?

    /// The outcomes of the commands, or nil if no commands were run.
    init(_ diagnosis: Diagnosis, shell: ShellLine = .current, repairs: [Repair.Outcome]? = nil) {
        self.diagnosis = diagnosis
        self.shell = shell
        self.repairs = repairs
    }

    private enum Key: CodingKey {
        case schema, healthy, error, checks, fix, ran
    }

    func encode(to encoder: any Encoder) throws {
        var container = encoder.container(keyedBy: Key.self)
        try container.encode(1, forKey: .schema)
        try container.encode(diagnosis.firstProblem == nil, forKey: .healthy)
        try container.encodeIfPresent(diagnosis.firstProblem?.obstacle?.errorName, forKey: .error)
        try container.encode(diagnosis.examinations.map { CheckObject($0, shell) }, forKey: .checks)
        try container.encode(Repair(diagnosis).steps.map(shell.text), forKey: .fix)
        try container.encodeIfPresent(repairs?.map { RanObject($0, shell) }, forKey: .ran)
    }

    private struct CheckObject: Encodable {
        let name: String
        let status: String
        let reader: String?
        let statement: String
        let error: ErrorName?
        let cause: String?
        let note: String?
        let commands: [String]
        let undo: [String]
        let facts: [String: FailureDetail]

        init(_ examination: Examination, _ shell: ShellLine) {
            name = examination.name.rawValue
            status = examination.status.rawValue
            reader = examination.reader
            statement = examination.statement
            error = examination.obstacle?.errorName
            cause = examination.remedy?.cause
            note = examination.remedy?.note?.text(shell)
            commands = examination.remedy?.steps.map(shell.text) ?? []
            undo = examination.remedy?.undo.map(shell.text) ?? []
            facts = examination.facts.mapValues(FailureDetail.init)
        }
    }

    private struct RanObject: Encodable {
        let command: String
        let failure: String?

        init(_ outcome: Repair.Outcome, _ shell: ShellLine) {
            command = shell.text(outcome.step)
            failure = outcome.failure?.clause
        }
    }
}

extension FailureDetail {
    fileprivate init(_ fact: Fact) {
        self =
            switch fact {
            case .number(let number): .number(number)
            case .text(let text): .text(text)
            case .list(let list): .list(list)
            }
    }
}
