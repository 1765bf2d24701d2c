// A check that a tag file contains the kind of tag that the option `kind` names

extension VirtualTagKind {
    /// Checks that a file contains a tag of this kind, as far as the types in the file show it.
    ///
    /// Kinds that differ only in their content, such as `classic1k` and `classic1k-ndef`, have the same types.
    /// - Throws: ``VirtualReaderError/otherKind(path:found:wanted:)``.
    func check(_ file: TagFile) throws(VirtualReaderError) {
        let types = Self.types(of: file.tag)
        guard fileTypes != types else { return }
        let found = Self.allCases.first { $0.fileTypes == types }?.rawValue
        throw .otherKind(path: file.path, found: found ?? types.last ?? "tag of another kind", wanted: rawValue)
    }

    /// The types in a new file with a tag of this kind; nil if the file format does not support the kind.
    private var fileTypes: [String]? { (make() as? any PersistentTag).map(Self.types) }

    /// The values of the lines `Device type`, `NTAG/Ultralight type` and `Mifare Classic type`.
    private static func types(of tag: any PersistentTag) -> [String] {
        tag.flipperText.split(separator: "\n").compactMap { line in
            line.firstRange(of: " type: ").map { String(line[$0.upperBound...]) }
        }
    }
}
