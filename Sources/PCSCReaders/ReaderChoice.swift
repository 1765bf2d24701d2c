// Choosing a reader by name or USB address

import ReaderInterface

struct ReaderChoice {
    private let context: SmartCardContext
    private let readers: [String]

    init(_ context: SmartCardContext, _ readers: [String]) {
        (self.context, self.readers) = (context, readers)
    }

    /// Returns the matching readers, which is exactly one unless the name is ambiguous or unknown.
    func readers(_ wanted: ReaderName) -> [String] {
        switch wanted {
        case .text(""):
            let known = readers.filter { !ReaderName.isSAM($0) && ReaderDialect.of(name: $0).isKnown }
            return known.isEmpty ? readers.filter { !ReaderName.isSAM($0) } : known
        case .text(let text): return ReaderName.matches(text, among: readers)
        case .usb:
            let candidates = readers.filter { !ReaderName.isSAM($0) }
            // If the driver does not report the reader's USB address, a single candidate is still unambiguous.
            let found = candidates.filter { properties(of: $0)?.usb == wanted }
            return found.isEmpty && candidates.count == 1 ? candidates : found
        }
    }

    /// The readers and how they are used, without slots for security modules.
    var listed: [ListedReader] {
        readers.filter { !ReaderName.isSAM($0) }.compactMap { name in
            guard let state = try? context.state(of: name) else { return nil }
            let device: ListedReader.USBDevice? =
                if case .usb(let bus, let number)? = properties(of: name)?.usb {
                    ListedReader.USBDevice(bus: bus, number: number)
                } else { nil }
            return ListedReader(
                connection: ReaderName.scheme + ReaderName.lasting(name, among: readers),
                use: state.isExclusive ? .exclusive : state.isInUse ? .shared : .free, device: device)
        }
    }

    private func properties(of reader: String) -> ReaderProperties? {
        (try? CardConnection(direct: context, reader: reader)).map(ReaderProperties.init)
    }
}
