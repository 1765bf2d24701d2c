// A folder for the input of decoders that read a file by name

import Foundation

enum InputFolder {
    static let path: URL = {
        let path = FileManager.default.temporaryDirectory.appending(path: "nfctool-fuzz-\(getpid())-\(UUID())")
        try? FileManager.default.createDirectory(at: path, withIntermediateDirectories: true)
        atexit { try? FileManager.default.removeItem(at: InputFolder.path) }
        return path
    }()

    /// Writes an input to a file, and calls a function with the path of the file.
    static func withFile<Value>(_ name: String, _ bytes: [UInt8], _ body: (String) throws -> Value) throws -> Value {
        let file = path.appending(path: name)
        try Data(bytes).write(to: file)
        return try body(file.path)
    }
}
