// The red light for a refused tag, which stays on after the tag is removed — Docs/CommandLine.md, --led

package import Provisioning

/// The readers whose lamps stay red after a refused tag is removed.
///
/// They stay red until the next tag is done.
package struct RefusalLamps {
    private var readers: Set<String> = []

    /// Creates the initial state, in which no lamp has to stay red.
    package init() {}

    /// Records an event, and returns whether the lamp of its reader must stay red.
    package mutating func stayRed(after event: ProvisionEvent) -> Bool {
        switch event {
        case .refused(let tag, let cause, _, _) where cause.isOfTag: readers.insert(tag.reader)
        case .failed(let tag, _, _, _): readers.insert(tag.reader)
        case .finished(let tag, _, _, _, _), .known(let tag, _, _, _): readers.remove(tag.reader)
        case .removed(let tag): return readers.contains(tag.reader)
        default: break
        }
        return false
    }
}
