// Shell lines that run nfctool, and their output, each line with the name of its schema — Docs/Schema/commands.json

import Foundation

/// Commands that belong together, in their own folder.
///
/// In the lines, `run STATUS ARGUMENT…` runs nfctool with `--json` and expects an exit code, or `any`. `said TEXT
/// FILES` waits until one of the files contains a text.
struct SchemaScenario: Sendable {
    private let lines: String
    /// Creates the files that the lines need in their folder.
    private let prepare: @Sendable (String) throws -> Void

    init(_ lines: String, prepare: @escaping @Sendable (_ folder: String) throws -> Void = { _ in }) {
        self.lines = lines
        self.prepare = prepare
    }

    struct Run: Hashable, Sendable {
        let command: String
        let isFailure: Bool
    }

    struct Printed: Sendable {
        /// A schema's name, a tab and an object.
        var objects: [String] = []
        var runs: Set<Run> = []
        var surprises: [String] = []
    }

    func printed() async throws -> Printed {
        let outcome = try await Tool.withFolder { folder in
            try prepare(folder)
            return try await Tool.shell(Self.prelude + lines, in: folder)
        }
        var printed = Printed()
        for line in outcome.output.split(separator: "\n").map(String.init) {
            let words = line.split(separator: "\t", maxSplits: 2).map(String.init)
            switch words.first {
            case "ran": printed.runs.insert(Run(command: words[1], isFailure: words[2] != "0"))
            case "wrong": printed.surprises.append(line)
            default: printed.objects.append(line)
            }
        }
        return printed
    }

    private static let prelude = #"""
        run() {
            local expected=$1 name=$2 id=$BASHPID status
            shift
            case $1 in ndef | provision | sdm) name=$1-$2 ;; esac
            nfctool "$@" --json > out.$id 2> err.$id
            status=$?
            [ $expected = any ] && [ $status -lt 79 ] || [ $status = $expected ] ||
                printf 'wrong\t%s instead of %s: %s %s\n' $status $expected "$*" "$(tr '\n' ' ' < err.$id)"
            printf 'ran\t%s\t%s\n' $name $status
            sed "s/^/$name\t/" out.$id
            sed -n "s/^{/stderr\t{/p" err.$id
        }
        said() {
            local text=$1 files=$2 try
            for try in {1..600}; do
                grep -qs "$text" $files && return
                sleep 0.05
            done
            printf 'wrong\t%s was not said within 30 s\n' "$text"
        }

        """#
}
