// The standard input of a child program, as an unnamed file — mkstemp(3), unlink(2)

import Glibc
package import SystemPackage

extension FileDescriptor {
    /// Creates an unnamed file with the text, positioned at its start.
    ///
    /// The file is not a pipe, because a program that does not read its input would block this process or break the
    /// pipe.
    package static func unnamedFile(holding text: String) throws -> FileDescriptor {
        var path = Array("/tmp/nfctool-XXXXXX".utf8CString)
        let file = FileDescriptor(rawValue: mkstemp(&path))
        guard file.rawValue >= 0 else { throw Errno(rawValue: errno) }
        unlink(path)
        do {
            try file.writeAll(text.utf8)
            try file.seek(offset: 0, from: .start)
            return file
        } catch {
            try? file.close()
            throw error
        }
    }
}
