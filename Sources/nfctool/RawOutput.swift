// Raw bytes to a file or to stdout

import Foundation

/// Where raw bytes go: a path, or `-` for stdout.
struct RawOutput {
    let path: String

    /// Writes all bytes; a file appears whole or not at all.
    func write(_ bytes: [UInt8]) throws {
        do {
            if path == "-" {
                try FileHandle.standardOutput.write(contentsOf: Data(bytes))
            } else {
                try Data(bytes).write(to: URL(fileURLWithPath: path), options: .atomic)
            }
        } catch {
            throw UnwritableFile(path: path, reason: error.localizedDescription)
        }
    }
}

/// A file that cannot be written.
struct UnwritableFile: Failure {
    let path: String
    let reason: String
    var name: ErrorName { .badFile }
    var message: String { "\(path) cannot be written: \(reason)" }
}
