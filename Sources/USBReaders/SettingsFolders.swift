// Settings files in several folders, read as udev, modprobe and systemd read them

extension SystemRoot {
    /// Returns the files in these folders with this extension, sorted by name.
    ///
    /// Of several files with the same name, only the one in the first folder is returned. A link to /dev/null thus
    /// hides a file with the same name in a later folder: the link does not lead to a regular file, so it has no lines.
    func files(in folders: [String], ending: String) -> [String] {
        var seen: Set<String> = []
        var files: [(name: String, path: String)] = []
        for folder in folders {
            for name in names(folder) where name.hasSuffix(ending) && seen.insert(name).inserted {
                files.append((name, "\(folder)/\(name)"))
            }
        }
        return files.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }.map(\.path)
    }

    /// Returns a file's lines, numbered from 1.
    ///
    /// A line that ends in a backslash is joined with the next line.
    func numberedLines(_ path: String) -> [(number: Int, text: String)] {
        var joined: [(number: Int, text: String)] = []
        var isContinued = false
        for (index, line) in lines(path).enumerated() {
            let continues = line.hasSuffix("\\")
            let text = continues ? line.dropLast() : line
            if isContinued, let last = joined.indices.last {
                joined[last].text += text
            } else {
                joined.append((index + 1, String(text)))
            }
            isContinued = continues
        }
        return joined
    }
}
