// Which process has a device node open — proc(5), /proc/PID/fd

@preconcurrency import Glibc

extension ReaderNode {
    /// The process that has the node open, as `name (process 4711)`, where /proc lets this user see it.
    ///
    /// Left out: this process, and the one that serves a pseudo-terminal, which holds the other end (`/dev/ptmx`) and keeps
    /// this end open for its clients.
    func holder() -> String? {
        for process in entries(of: "/proc").compactMap({ pid_t($0) }) where process != getpid() {
            let links = entries(of: "/proc/\(process)/fd").compactMap { destination(of: "/proc/\(process)/fd/\($0)") }
            guard links.contains(path), !links.contains("/dev/ptmx"), !links.contains("/dev/pts/ptmx") else { continue }
            return "\(name(of: process)) (process \(process))"
        }
        return nil
    }

    private func name(of process: pid_t) -> String {
        let descriptor = Glibc.open("/proc/\(process)/comm", O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { return "a process" }
        defer { Glibc.close(descriptor) }
        var name = [UInt8](repeating: 0, count: 64)
        let count = read(descriptor, &name, name.count)
        return String(decoding: name.prefix(max(0, count)).prefix { $0 >= 0x20 && $0 != 0x7F }, as: UTF8.self)
    }

    private func destination(of link: String) -> String? {
        var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        return count < 0 ? nil : String(decoding: buffer.prefix(count), as: UTF8.self)
    }

    private func entries(of folder: String) -> [String] {
        guard let directory = opendir(folder) else { return [] }
        defer { closedir(directory) }
        var names: [String] = []
        while let entry = readdir(directory) {
            names.append(
                withUnsafeBytes(of: entry.pointee.d_name) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
        }
        return names
    }
}
