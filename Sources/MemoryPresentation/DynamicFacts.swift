// Changes to an NTAG 424 DNA, which are described to users before they agree, and to programs afterwards

import Hexadecimal
package import SafeTag
import TagTypes
import Terminal

/// Descriptions of changes to an NTAG 424 DNA.
///
/// Lines are escaped.
package enum DynamicFacts {
    package static func text(_ draft: SDMSetupDraft) -> String {
        let wanted = draft.wanted
        let writing = wanted.rights.write == .free ? "anyone can write it" : "writing it needs key 0"
        return [
            draft.replacesMessage
                ? "The message becomes  \(TerminalText.escaped(draft.address))" : "The message stays the same.",
            wanted.dynamic.map { "The tag fills in: \(FileWords.dynamic($0).joined(separator: "; "))." },
            "Anyone can read the message; \(writing); changing these settings needs \(FileWords.access(wanted.rights.change)).",
            draft.restartsCounter
                ? "The tap counter starts at 0 again. Inform everyone who compares counters." : nil,
            draft.changes ? nil : "Each tap gives the same URL, which can be copied: use {picc} or {counter}.",
            draft.hasFactoryKeys
                ? "A factory key is still in use, so anyone can forge these URLs. To change the keys: nfctool sdm keys"
                : nil,
            sharedKeys(draft.alsoChanging),
        ].compactMap(\.self).joined(separator: "\n")
    }

    package static func text(_ draft: KeyChangeDraft) -> String {
        let further = [
            draft.done.isEmpty ? nil : "The tag already has the new \(keys(draft.done)).",
            draft.staying.isEmpty ? nil : "Unchanged: \(keys(draft.staying)).",
            sharedKeys(draft.alsoChanging),
        ]
        return
            ([
                draft.pending.count == 1
                    ? "Key \(list(draft.pending)) will be changed. Its version becomes \(draft.version)."
                    : "These keys will be changed, in this order: \(list(draft.pending)). Their version becomes "
                        + "\(draft.version).",
                "A tag whose keys are lost can no longer be changed. Keep the file, and keep the old one until all keys are changed.",
            ] + further.compactMap(\.self)).joined(separator: "\n")
    }

    package static func text(_ draft: DynamicResetDraft) -> String {
        let files = draft.files.keys.sorted().map { "the settings of file \($0)" }
        let keys = draft.keys.pending.isEmpty ? [] : ["\(Self.keys(draft.keys.pending)) (to zeros)"]
        let isOne = files.count + draft.keys.pending.count == 1
        return """
            \(isOne ? "This will be reset" : "These will be reset, in this order"): \((files + keys).joined(separator: "; ")).
            After that, the tag fills in nothing, and anyone can write it and change its keys. The content of its files stays the same.
            """
    }

    package static func outcome(_ draft: KeyChangeDraft) -> String {
        let tag = "NTAG 424 DNA \(draft.uid.hex)"
        guard !draft.pending.isEmpty else { return "\(tag) already has these keys; nothing was changed." }
        let proof = draft.pending.count == 1 ? "and verified it" : "and verified each"
        return "Changed \(keys(draft.pending)) of \(tag) to version \(draft.version), \(proof)."
    }

    /// Describes the risk if the keys with these numbers, which verify URLs, are the same as key 0.
    ///
    /// Returns nil if `numbers` is empty.
    package static func sharedKeys(_ numbers: [Int]) -> String? {
        guard !numbers.isEmpty else { return nil }
        let keys = numbers.count == 1 ? "Key \(numbers[0]) is" : "Keys \(list(numbers, last: " and ")) are"
        return "\(keys) the same as key 0, so everyone who can verify URLs can also change the tag. "
            + "Use a different key 0."
    }

    private static func keys(_ numbers: [Int]) -> String { (numbers.count == 1 ? "key " : "keys ") + list(numbers) }

    private static func list(_ numbers: [Int], last separator: String = ", ") -> String {
        let words = numbers.map(String.init)
        return [words.dropLast().joined(separator: ", "), words.last ?? ""].filter { !$0.isEmpty }
            .joined(separator: separator)
    }
}
