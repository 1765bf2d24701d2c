// What a program reads on its stdin, in a file without a name — mkstemp(3), unlink(2)

import Glibc
package import SystemPackage

extension FileDescriptor {
    /// A file that holds a text and has no name any more, at its beginning.
    ///
    /// Not a pipe: a program that does not read its input would keep this process waiting, or break the pipe.
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
