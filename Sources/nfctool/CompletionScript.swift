// The completion script of a shell: the script of argument-parser, extended for `provision` — Docs/Install.md,
// Completion

import ArgumentParser

/// Extends the script of argument-parser so that `provision PLAN …` and `provision --range …` are completed like
/// `provision run`, and `help` with the names of the commands.
///
/// For `provision`, argument-parser completes only the subcommands and ignores that `run` is the default. For `help`, it
/// completes nothing.
struct CompletionScript {
    let text: String

    private static let option = "--generate-completion-script"

    /// Returns nil if the command line does not ask for a script, or if the shell is unknown.
    init?(askedBy words: [String]) {
        // The option and the shell may be one word with an equals sign.
        let words =
            words.count == 1
            ? words[0].split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false).map(String.init) : words
        guard words.first == Self.option, words.count <= 2 else { return nil }
        // If no shell is named, it is detected from $SHELL.
        let named = words.count == 2 ? CompletionShell(rawValue: words[1]) : .autodetected()
        guard let shell = named else { return nil }
        self.init(for: shell)
    }

    init(for shell: CompletionShell) {
        let script = NFCTool.completionScript(for: shell)
        let names = ProvisionCommand.configuration.subcommands.compactMap { $0.configuration.commandName }
        text =
            switch shell {
            case .bash: Self.forBash(script, names).replacing(Self.help, with: Self.help + Self.helpInBash)
            case .zsh:
                Self.forZsh(script, names).replacing(
                    "'*:subcommands:'", with: "'*:subcommands:(\(Self.commands.joined(separator: " ")))'")
            case .fish: Self.forFish(script, names) + Self.helpInFish
            default: script
            }
    }

    /// The start of the function for `provision`, in bash and zsh.
    private static let function = "\n_nfctool_\(ProvisionCommand.name)() {\n"

    // MARK: help

    private static let commands = NFCTool.configuration.subcommands.compactMap { $0.configuration.commandName }

    /// The start of the function for `help` in bash.
    private static let help = "\n_nfctool_help() {\n"

    private static let helpInBash = #"""
            if [[ "${cur}" != -* ]]; then
                __nfctool_add_completions -W $'\#(commands.joined(separator: "\\n"))'
                return
            fi

        """#

    private static let helpInFish = """

        complete -c 'nfctool' -n 'string match -q -- help (__nfctool_tokens -pc)[2]' -f -a '\(commands.joined(separator: " "))'
        """

    // MARK: provision

    private static func forBash(_ script: String, _ names: [String]) -> String {
        let addition = #"""
                # Without a subcommand, the words are those of run.
                case "${unparsed_words[0]}" in
                \#(names.joined(separator: "|"))) ;;
                *)
                    if [[ "${#unparsed_words[@]}" -gt 1 || "${cur}" = -* ]]; then
                        _nfctool_provision_run
                        return
                    fi
                    __nfctool_add_completions -f
                    ;;
                esac

            """#
        return script.replacing(function, with: function + addition)
    }

    private static func forZsh(_ script: String, _ names: [String]) -> String {
        let addition = #"""
                # Without a subcommand, the words are those of run.
                if [[ "${words[2]}" != (\#(names.joined(separator: "|"))) ]] &&
                    { (( CURRENT > 2 )) || [[ "${words[2]}" = -* ]]; }; then
                    _nfctool_provision_run
                    return
                fi

            """#
        guard let place = script.firstRange(of: function) else { return script }
        let subcommands = "        _describe -V subcommand subcommands && ret=0\n"
        let rest = script[place.upperBound...].replacing(
            subcommands, with: subcommands + "        _files && ret=0\n", maxReplacements: 1)
        return String(script[..<place.upperBound]) + addition + String(rest)
    }

    private static func forFish(_ script: String, _ names: [String]) -> String {
        let place = "        case '\(ProvisionCommand.name)'\n"
        let addition = #"""
                        # Without a subcommand, the words are those of run.
                        set -l current (commandline -ct)
                        if set -q unparsed_tokens[2]
                            if not contains -- $unparsed_tokens[2] \#(names.joined(separator: " "))
                                set unparsed_tokens provision run $unparsed_tokens[2..]
                            end
                        else if string match -q -- '-*' "$current"
                            set unparsed_tokens provision run
                        end

            """#
        let files = #"""

            complete -c 'nfctool' -n '__nfctool_should_offer_completions_for_positional "nfctool provision" -eq 1' -F
            """#
        return script.replacing(place, with: place + addition) + files
    }
}
