// One part of TAGS: `KIND[:OPTION=VALUE]…[*COUNT]` or `FILE.nfc`

/// The tags that one part of TAGS requests.
enum TagWord {
    case tags(VirtualTagKind, Type2Variant?, count: Int)
    case file(path: String)

    private static let maximumCount = 65_535

    /// Parses one part of TAGS.
    ///
    /// - Throws: ``VirtualReaderError`` if the word is neither a kind nor the name of a tag file.
    init(_ word: String) throws(VirtualReaderError) {
        if TagFile.isName(word) {
            self = .file(path: word)
            return
        }
        let parts = word.split(separator: "*", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let names = parts[0].split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        let kind = try VirtualTagKind(named: names[0])
        var variant: Type2Variant?
        for text in names.dropFirst() {
            let (option, value) = try VirtualReaderOption.parse(text, known: VirtualReaderOption.ofType2)
            guard kind.isType2 else { throw .withoutEffect(option: option.rawValue, .noType2Tag) }
            var own = variant ?? Type2Variant()
            _ = try own.apply(option, value)
            variant = own
        }
        var count = 1
        if parts.count == 2 {
            count = try OptionValue(option: "\(kind.rawValue)*COUNT", text: parts[1]).number(in: 1...Self.maximumCount)
        }
        self = .tags(kind, variant, count: count)
    }
}

extension VirtualTagKind {
    init(named word: String) throws(VirtualReaderError) {
        guard let kind = VirtualTagKind(rawValue: word) else {
            throw .notAKind(word, known: VirtualTagKind.allCases.map(\.rawValue))
        }
        self = kind
    }
}
