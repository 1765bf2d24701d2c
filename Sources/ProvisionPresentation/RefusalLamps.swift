// The red light of a refused tag, seen also after the tag was taken away — Docs/CommandLine.md, --led

package import Provisioning

/// The lamps of readers whose last tag was refused: they stay red after it was taken away, until the next one is done.
package struct RefusalLamps {
    private var readers: Set<String> = []

    /// All lamps are as events leave them.
    package init() {}

    /// Whether the lamp of the event's reader is to be left as it is.
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
