// A place for decoders that read files by name

import Foundation

/// A folder of this process, removed with it where that ends well.
enum InputFolder {
    /// The folder.
    static let path: URL = {
        let path = FileManager.default.temporaryDirectory.appending(path: "nfctool-fuzz-\(getpid())-\(UUID())")
        try? FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: InputFolder.path) }
        return path
    }()

    /// Writes an input to a file, and gives its path to a function.
    static func withFile<Value>(_ name: String, _ bytes: [UInt8], _ body: (String) throws -> Value) throws -> Value {
        let file = path.appending(path: name)
        try Data(bytes).write(to: file)
        return try body(file.path)
    }
}
