// Which of the readers is meant

/// Chooses among pcscd's readers.
struct ReaderChoice {
    private let manager: ResourceManager
    private let readers: [String]

    init(_ manager: ResourceManager, _ readers: [String]) {
        (self.manager, self.readers) = (manager, readers)
    }

    /// The readers that are meant: one, unless the name does not say which.
    func readers(_ wanted: ReaderName) -> [String] {
        switch wanted {
        case .text(""):
            let known = readers.filter { !ReaderName.isSAM($0) && ReaderDialect.of(name: $0).isKnown }
            return known.isEmpty ? readers.filter { !ReaderName.isSAM($0) } : known
        case .text(let text): return ReaderName.matches(text, among: readers)
        case .usb:
            let candidates = readers.filter { !ReaderName.isSAM($0) }
            // A driver that does not tell where its reader is leaves a choice of one.
            let found = candidates.filter { properties(of: $0)?.usb == wanted }
            return found.isEmpty && candidates.count == 1 ? candidates : found
        }
    }

    private func properties(of reader: String) -> ReaderProperties? {
        (try? CardConnection(direct: manager, reader: reader)).map(ReaderProperties.init)
    }
}
