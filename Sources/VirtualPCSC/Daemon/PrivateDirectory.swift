// The files of a private pcscd — Sources/IFDHandler/PrivateDirectory.h

import Glibc

/// The directory of one daemon.
///
/// The daemon removes the directory when the program ends; see `PrivateDirectory.c`.
struct PrivateDirectory: Sendable {
    let path: String

    /// The path of the socket for clients, which belongs in PCSCLITE_CSOCK_NAME.
    var socket: String { "\(path)/pcscd.comm" }
    /// The path of an empty configuration directory, which prevents pcscd from using the readers in reader.conf.d.
    var configuration: String { "\(path)/conf" }
    /// The path of the pipe that announces added and removed readers.
    var hotplug: String { "\(path)/hotplug" }

    /// The maximum length of a Unix socket's path, in bytes.
    private static let longestSocketPath = 107
    private static let library = "libnfctool-ifd.so"

    /// Creates the directory, with a driver for these reader models.
    init(handler: String, models: [PCSCReaderModel]) throws(PCSCDaemonError) {
        let temporary = getenv("TMPDIR").map { String(cString: $0) } ?? "/tmp"
        let name = "nfctool-pcscd-XXXXXX"
        let isShort = temporary.utf8.count + name.utf8.count + "//readers/1-255-1".utf8.count <= Self.longestSocketPath
        var template = Array("\(isShort ? temporary : "/tmp")/\(name)".utf8CString)
        guard mkdtemp(&template) != nil else { throw .system("Making a directory for pcscd", errno) }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
        do throws(PCSCDaemonError) {
            let bundle = "drivers/nfctool.bundle/Contents"
            for folder in [
                "run", "conf", "sys", "readers", "drivers", "drivers/nfctool.bundle", bundle, "\(bundle)/Linux",
            ] {
                try check(mkdir("\(path)/\(folder)", 0o700), "Making a directory for pcscd")
            }
            try check(symlink(handler, "\(path)/\(bundle)/Linux/\(Self.library)"), "Linking the driver")
            try check(mkfifo(hotplug, 0o600), "Making a pipe for pcscd")
            try write(Self.description(of: models), to: "\(bundle)/Info.plist")
        } catch {
            remove()
            throw error
        }
    }

    func write(_ text: String, to name: String) throws(PCSCDaemonError) {
        let file = open("\(path)/\(name)", O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        try check(file, "Writing \(name)")
        defer { close(file) }
        let bytes = Array(text.utf8)
        guard Glibc.write(file, bytes, bytes.count) == bytes.count else { throw .system("Writing \(name)", errno) }
    }

    func makeFolder(_ name: String) throws(PCSCDaemonError) {
        guard mkdir("\(path)/\(name)", 0o700) == 0 || errno == EEXIST else { throw .system("Making \(name)", errno) }
    }

    /// Announces to the daemon that the private USB bus has changed.
    ///
    /// If no daemon is listening, the line is lost. The next daemon reads the whole directory when it starts.
    func announce(_ line: String) {
        let pipe = open(hotplug, O_WRONLY | O_NONBLOCK | O_CLOEXEC)
        guard pipe >= 0 else { return }
        let bytes = Array("\(line)\n".utf8)
        _ = Glibc.write(pipe, bytes, bytes.count)
        close(pipe)
    }

    /// Returns the target of a symbolic link, or nil if the path is not a link.
    static func target(of link: String) -> String? {
        var buffer = [CChar](repeating: 0, count: Int(PATH_MAX))
        let count = readlink(link, &buffer, buffer.count)
        return count < 0 ? nil : String(decoding: buffer[..<count].map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes the directory unless the daemon has already removed it.
    func remove() {
        Self.remove(path)
    }

    private static func remove(_ path: String) {
        guard unlink(path) != 0, let folder = opendir(path) else { return }
        while let entry = readdir(folder) {
            let name = withUnsafePointer(to: &entry.pointee.d_name) { name in
                name.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
            }
            if name != ".", name != ".." { remove("\(path)/\(name)") }
        }
        closedir(folder)
        rmdir(path)
    }

    private func check(_ result: Int32, _ operation: String) throws(PCSCDaemonError) {
        if result < 0 { throw .system(operation, errno) }
    }

    /// Returns the content of the driver's Info.plist.
    ///
    /// pcscd composes a reader's name from the entries for the reader's USB IDs.
    private static func description(of models: [PCSCReaderModel]) -> String {
        var seen: Set<[UInt16]> = []
        let models = models.filter { seen.insert([$0.vendor, $0.product]).inserted }
        // Each value needs its own line, because pcscd reads from the first <string> to the last </string> in a line.
        func array(_ values: [String]) -> String {
            "<array>\n" + values.map { "<string>\($0)</string>\n" }.joined() + "</array>"
        }
        func hex(_ value: UInt16) -> String { "0x\(String(value, radix: 16, uppercase: true))" }
        return """
            <?xml version="1.0" encoding="UTF-8"?>
            <plist version="1.0"><dict>
            <key>CFBundleExecutable</key><string>\(library)</string>
            <key>ifdVendorID</key>\(array(models.map { hex($0.vendor) }))
            <key>ifdProductID</key>\(array(models.map { hex($0.product) }))
            <key>ifdFriendlyName</key>\(array(models.map(\.driverName)))
            </dict></plist>

            """
    }
}
