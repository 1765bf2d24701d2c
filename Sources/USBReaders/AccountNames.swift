// Users and groups by ID — passwd(5), group(5)

@preconcurrency import Glibc

/// The names of users and groups, from /etc/passwd and /etc/group.
///
/// On the running system, but not in a copy, other sources of names (such as LDAP) are used too.
struct AccountNames {
    struct GroupLine {
        let name: String
        let number: UInt32
        let members: Set<String>
    }

    let groups: [GroupLine]
    private let users: [UInt32: String]
    private let asksSystem: Bool

    init(root: SystemRoot) {
        asksSystem = root.isMachine
        users = Dictionary(
            root.lines("/etc/passwd").compactMap { line in
                let fields = line.split(separator: ":", omittingEmptySubsequences: false)
                guard fields.count >= 3, let number = UInt32(fields[2]) else { return nil }
                return (number, String(fields[0]))
            }, uniquingKeysWith: { first, _ in first })
        groups = root.lines("/etc/group").compactMap { line in
            let fields = line.split(separator: ":", omittingEmptySubsequences: false)
            guard fields.count >= 4, let number = UInt32(fields[2]) else { return nil }
            return GroupLine(
                name: String(fields[0]), number: number, members: Set(fields[3].split(separator: ",").map(String.init)))
        }
    }

    func userName(_ number: UInt32) -> String? {
        users[number] ?? (asksSystem ? Self.systemUser(number) : nil)
    }

    func groupName(_ number: UInt32) -> String? {
        groups.first { $0.number == number }?.name ?? (asksSystem ? Self.systemGroup(number) : nil)
    }

    private static func systemUser(_ number: UInt32) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 14) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var entry = passwd()
            var found: UnsafeMutablePointer<passwd>?
            guard getpwuid_r(number, &entry, start, buffer.count, &found) == 0, found != nil else { return nil }
            return entry.pw_name.map { String(cString: $0) }
        }
    }

    private static func systemGroup(_ number: UInt32) -> String? {
        withUnsafeTemporaryAllocation(of: CChar.self, capacity: 1 << 14) { buffer in
            guard let start = buffer.baseAddress else { return nil }
            var entry = group()
            var found: UnsafeMutablePointer<group>?
            guard getgrgid_r(number, &entry, start, buffer.count, &found) == 0, found != nil else { return nil }
            return entry.gr_name.map { String(cString: $0) }
        }
    }
}
