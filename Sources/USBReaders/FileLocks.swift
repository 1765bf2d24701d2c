// The processes that have locked a file — proc(5), /proc/locks; flock(2)

@preconcurrency import Glibc

extension SystemRoot {
    /// Returns the processes that have locked a file with flock(2).
    ///
    /// They include the processes of other users, whose open files are hidden.
    func lockers(of path: String) -> Set<Int32> {
        var status = stat()
        guard stat(place(path), &status) == 0 else { return [] }
        let file = "\(Self.name(of: status.st_dev)):\(status.st_ino)"
        return Set(
            lines("/proc/locks").compactMap { line in
                // An example: `1: FLOCK  ADVISORY  WRITE 4711 00:06:355 0 EOF`. If a process waits, `->` follows the
                // first number.
                let words = line.split(separator: " ")
                guard words.count >= 6, words[1] == "FLOCK", words[5] == file else { return nil }
                // The process ID is 0 for a process in another container.
                return Int32(words[4]).flatMap { $0 > 0 ? $0 : nil }
            })
    }

    /// Returns a device number as the kernel writes it: major and minor, each with at least two hexadecimal digits.
    private static func name(of device: dev_t) -> String {
        let number = UInt64(device)
        let major = (number >> 8) & 0xFFF | (number >> 32) & ~0xFFF
        let minor = number & 0xFF | (number >> 12) & ~0xFF
        return [major, minor].map { number in
            let digits = String(number, radix: 16)
            return digits.count < 2 ? "0" + digits : digits
        }.joined(separator: ":")
    }
}
